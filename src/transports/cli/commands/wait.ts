import { setTimeout as pause } from "node:timers/promises";
import { baseUrlFrom } from "../../../adapters/base-url.ts";
import { findServer } from "../../../adapters/server-process.ts";
import { exitCodes } from "../../../contract/errors.ts";
import { Refusal } from "../../../contract/refusal.ts";
import { newsKinds } from "../../../contract/words.ts";
import type { AnswerOf } from "../../../tools/calls.ts";
import { type Api, apiAt, openApi } from "../api.ts";
import { answer, type Context, note } from "../context.ts";
import { readDuration } from "../duration.ts";
import { withProgress } from "../progress.ts";
import { resolveId } from "../record.ts";
import { paint, type Screen } from "../screen.ts";
import type { Shell } from "../shell.ts";
import { agoText, cleanText } from "../text.ts";

type Waited = AnswerOf<"wait">;
type Kind = (typeof newsKinds)[number];

interface Options {
  readonly for?: string;
  readonly agent?: string;
  readonly workflow?: string;
  readonly timeout: string;
  readonly cursor?: string;
}

/** One of several calls: what stands between us and a server may cut a longer one. */
const longestCallSeconds = 240;
const lookAgainMs = 500;

export function addWait(shell: Shell): void {
  const command = shell
    .add({
      name: "wait",
      summary: "Wait until something concerns you or one of your agents",
      examples: ["wait", 'wait --agent "Ada" --for message,answer', "wait --timeout 2h --json", "wait --cursor MS4xcQ"],
    })
    .option("--for <kinds>", `only these, separated by commas: ${newsKinds.join(", ")}`)
    .option("--agent <agent>", "only for this agent of yours (id, beginning of an id, or name)")
    .option("--workflow <id>", "also for tasks that become ready in this workflow")
    .option("--timeout <duration>", "give up after this long, such as 90s, 30m or 2h", "30m")
    .option("--cursor <cursor>", "continue from an earlier wait; without it, from now or the agent's last wait")
    .addHelpText("after", "\nExit codes: 0 something came, 5 nothing came in time, 3 no server, 130 interrupted.");
  shell.does<Options>(command, async (context, options) => {
    const kinds = options.for === undefined ? undefined : readKinds(options.for);
    const until = Date.now() + readDuration("--timeout", options.timeout);
    const api = await openApi(context);
    const agent_id = options.agent === undefined ? undefined : await resolveId(api, "agent", options.agent);
    const workflow_id = options.workflow === undefined ? undefined : await resolveId(api, "workflow", options.workflow);
    const ask = { agent_id, workflow_id, for: kinds };
    const waited = await withProgress("Waiting. Ctrl-C ends it.", waitOn(context, api, ask, until, options.cursor));
    answer(context, waited, () => linesOf(waited, context.screen));
    if (waited.news.length > 0) return undefined;
    note(context, `Nothing came. Continue with: crewdeck wait --cursor ${waited.cursor}`);
    return exitCodes.nothing;
  });
}

interface Ask {
  readonly agent_id: string | undefined;
  readonly workflow_id: string | undefined;
  readonly for: Kind[] | undefined;
}

/**
 * Waits over as many calls as it takes. The first one waits for nothing, so that the place to go on from is known before
 * a server can be lost.
 */
async function waitOn(context: Context, api: Api, ask: Ask, until: number, from: string | undefined): Promise<Waited> {
  let waited: Waited | undefined;
  let server: Api | undefined = api;
  for (;;) {
    try {
      server ??= await findAgain(context);
      const leftSeconds = Math.min(longestCallSeconds, Math.max(0, (until - Date.now()) / 1_000));
      const timeout_seconds = waited === undefined ? 0 : leftSeconds;
      waited = await server.call("wait", { ...ask, cursor: waited?.cursor ?? from, timeout_seconds });
      if (waited.news.length > 0 || Date.now() >= until) return waited;
      if (waited.ended !== "stopping") continue;
    } catch (error) {
      // A server that was there a moment ago may come back; one that was never seen may not.
      const isLost = error instanceof Refusal && error.code === "SERVER_UNREACHABLE";
      if (isLost && waited && Date.now() >= until) throw lostAt(waited.cursor);
      if (!isLost || Date.now() >= until || (waited === undefined && baseUrlFrom(context.env) !== undefined))
        throw error;
    }
    server = undefined;
    await pause(Math.min(lookAgainMs, Math.max(0, until - Date.now())));
  }
}

const lostAt = (cursor: string): Refusal =>
  new Refusal(
    "SERVER_UNREACHABLE",
    "The server did not come back in time.",
    `Continue with: crewdeck wait --cursor ${cursor}`,
  );

/** The server that is up again; none is started for it. */
async function findAgain(context: Context): Promise<Api> {
  const origin = baseUrlFrom(context.env) ?? (await findServer(context.home))?.url;
  if (origin !== undefined) return apiAt(origin, context);
  throw new Refusal("SERVER_UNREACHABLE", "The server has stopped.", "Start it again with: crewdeck up");
}

function readKinds(text: string): Kind[] {
  const words = text.split(",").map((word) => word.trim());
  const kinds = newsKinds.filter((kind) => words.includes(kind));
  const unknown = words.find((word) => !kinds.some((kind) => kind === word));
  if (unknown === undefined) return kinds;
  throw new Refusal(
    "INVALID_REQUEST",
    `--for does not know "${cleanText(unknown)}".`,
    `It takes: ${newsKinds.join(", ")}`,
  );
}

function linesOf({ news, cursor }: Waited, screen: Screen): string[] {
  if (news.length === 0) return [];
  return [
    ...news.flatMap(({ what, words, at, next }) => [
      `${paint(screen, "bold", cleanText(what))} ${paint(screen, "dim", `(${agoText(at)})`)}`,
      ...(words === null ? [] : [`  ${cleanText(words)}`]),
      `  ${paint(screen, "dim", `Next: ${cleanText(next)}`)}`,
    ]),
    "",
    `Continue with: crewdeck wait --cursor ${cursor}`,
  ];
}
