import { resolve } from "node:path";
import { baseUrlFrom, readOrigin } from "../../../adapters/base-url.ts";
import { ensureServer } from "../../../adapters/server-process.ts";
import { companionAt, inboxOf } from "../../../companion/places.ts";
import { copyAt } from "../../../companion/repository.ts";
import { serverOf } from "../../../companion/repository-server.ts";
import { targetsOf } from "../../../companion/server-for.ts";
import { type Flushed, flushInbox } from "../../../companion/telemetry/inbox.ts";
import { type Synced, syncTranscripts } from "../../../companion/telemetry/sync.ts";
import { exitCodes } from "../../../contract/errors.ts";
import { toolVersion } from "../../../contract/versions.ts";
import { answer } from "../context.ts";
import { withProgress } from "../progress.ts";
import type { Screen } from "../screen.ts";
import type { Shell } from "../shell.ts";
import { table } from "../table.ts";
import { amountText, cleanText, count, none } from "../text.ts";

interface Options {
  readonly baseUrl?: string;
  readonly inbox?: string;
}

export function addTelemetry(shell: Shell): void {
  const command = shell
    .add({
      name: "telemetry",
      makesHome: true,
      summary: "Send usage reports: the inbox of this repository, and what clients have written down",
      examples: ["telemetry", "telemetry --inbox .covibe/telemetry", "telemetry --base-url https://deck.example"],
    })
    .option("--base-url <origin>", "the server's address, if it isn't on this machine (default: $COVIBE_BASE_URL)")
    .option("--inbox <folder>", "folder with usage reports (default: .covibe/telemetry of the repository)");
  shell.does<Options>(command, async (context, options) => {
    const companion = companionAt();
    const repository = copyAt(process.cwd());
    const given = options.baseUrl === undefined ? baseUrlFrom(context.env) : readOrigin(options.baseUrl, "--base-url");
    const origin = given ?? serverOf({ companion, home: context.home }, repository);
    if (origin === undefined) await ensureServer(context.home, { env: context.env });
    // What is asked for on the command line goes before the variable.
    const env = given === undefined ? context.env : { ...context.env, COVIBE_BASE_URL: given };
    const targetFor = targetsOf({ home: context.home, env }, origin);
    const inbox = options.inbox === undefined ? inboxOf(repository.root) : resolve(options.inbox);
    const flushed = await withProgress(
      "Sending usage reports…",
      flushInbox(inbox, (source) => targetFor(source === "claude" ? "claude-code" : source)),
    );
    const clients = await withProgress(
      "Reading transcripts…",
      syncTranscripts(companion, ({ client, base_url }) => targetFor(client, base_url)),
    );
    const report = { inbox, ...flushed, clients };
    answer(context, report, () => linesOf(report, context.screen));
    return flushed.waiting > 0 ? exitCodes.unreachable : flushed.refused > 0 ? exitCodes.refused : exitCodes.done;
  });
}

function linesOf(report: Flushed & { inbox: string; clients: readonly Synced[] }, screen: Screen): string[] {
  const { recorded, repeated, refused, waiting, tokens, problems, clients } = report;
  return [
    `${count(recorded, "report")} sent from ${report.inbox}: ${amountText(tokens)} tokens.`,
    ...(repeated > 0 ? [`${count(repeated, "report")} had been sent before.`] : []),
    ...(refused > 0 ? [`${count(refused, "report")} refused; see the folder \`refused\` there.`] : []),
    ...(waiting > 0 ? [`${count(waiting, "file")} not sent. Run this again once the server can be reached.`] : []),
    ...problems.map((problem) => `  ${problem}`),
    ...(clients.length === 0
      ? []
      : [
          "",
          ...table(
            clients.map((one) => [
              one.client,
              amountText(one.requests),
              amountText(one.tokens),
              one.unattributed === null ? none : amountText(one.unattributed),
            ]),
            { screen, heading: ["CLIENT", "REQUESTS", "TOKENS", "UNATTRIBUTED"] },
          ),
          ...clients.flatMap(({ client, unknown }) =>
            unknown === null
              ? []
              : [
                  `${client}: ${count(unknown.lines, "line")} not counted, in a format that Crewdeck ${toolVersion} doesn't know` +
                    `${unknown.version === null ? "" : ` (version ${cleanText(unknown.version)} of the client)`}.`,
                ],
          ),
        ]),
  ];
}
