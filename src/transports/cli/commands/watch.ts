import { homedir } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { baseUrlFrom, readOrigin } from "../../../adapters/base-url.ts";
import { companionAt } from "../../../companion/places.ts";
import { targetsOf } from "../../../companion/server-for.ts";
import { ClientTeller } from "../../../companion/watch/tell-clients.ts";
import { type Round, Watch } from "../../../companion/watch/watch.ts";
import { beginWatch, endWatch } from "../../../companion/watch/watcher-note.ts";
import { exitCodes } from "../../../contract/errors.ts";
import { Refusal } from "../../../contract/refusal.ts";
import { answer, type Context, note, print } from "../context.ts";
import type { Shell } from "../shell.ts";
import { count, toJson } from "../text.ts";

interface Options {
  readonly baseUrl?: string;
  readonly interval: string;
  readonly once?: true;
}

export function addWatch(shell: Shell): void {
  const command = shell
    .add({
      name: "watch",
      makesHome: true,
      summary: "Watch the registered repositories of this machine and report changes, until Ctrl-C",
      examples: ["watch", "watch --once --json", "watch --base-url https://deck.example"],
    })
    .option("--base-url <origin>", "the server's address, if it isn't on this machine (default: $COVIBE_BASE_URL)")
    .option("--interval <seconds>", "look this often while something changes", "5")
    .option("--once", "look once and exit");
  shell.does<Options>(command, async (context, options) => {
    const seconds = Number(options.interval);
    if (!(seconds >= 1 && seconds <= 3_600)) {
      throw new Refusal("INVALID_REQUEST", "--interval is not a number of seconds.", "Pass a number from 1 to 3600.");
    }
    const companion = companionAt();
    const given = options.baseUrl === undefined ? baseUrlFrom(context.env) : readOrigin(options.baseUrl, "--base-url");
    const env = given === undefined ? context.env : { ...context.env, COVIBE_BASE_URL: given };
    // Looked up anew for each look: the server may have started, ended or moved since.
    let targetFor = targetsOf({ home: context.home, env }, undefined);
    const watch = new Watch(companion, (agent, baseUrl) => targetFor(agent, baseUrl));
    if (options.once) {
      const round = await watch.look();
      answer(context, round, () => linesOf(round));
      return round.problems.length > 0 ? exitCodes.unreachable : exitCodes.done;
    }
    if (!beginWatch(companion)) {
      throw new Refusal(
        "INVALID_STATE",
        "Another process watches this machine already.",
        "Stop it first, or leave it to it.",
      );
    }
    note(context, "Watching. Ctrl-C ends it.");
    const stop = new AbortController();
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => stop.abort());
    process.removeAllListeners("SIGINT").once("SIGINT", () => stop.abort());
    const clients = new ClientTeller();
    let quietRounds = 0;
    while (!stop.signal.aborted) {
      targetFor = targetsOf({ home: context.home, env }, undefined);
      await clients.tell({ companion, homeDir: context.home.dir, userHome: homedir(), env, targetFor });
      const round = await watch.look();
      quietRounds = round.snapshots + round.requests > 0 ? 0 : quietRounds + 1;
      if (round.snapshots + round.violations + round.requests > 0) tell(context, round);
      // The longer nothing happens, the less often it is looked for.
      const wait = Math.min(seconds * 2 ** Math.min(quietRounds / 6, 5), Math.max(60, seconds)) * 1_000;
      await pause(wait, undefined, { signal: stop.signal }).catch(() => undefined);
    }
    await watch.end();
    endWatch(companion);
    return exitCodes.done;
  });
}

function tell(context: Context, round: Round): void {
  if (context.isJson) print(toJson(round));
  else if (!context.isQuiet) for (const line of linesOf(round)) print(line);
}

const linesOf = ({ repositories, snapshots, violations, requests, problems }: Round): string[] => [
  `Repositories: ${repositories}. Working copies reported: ${snapshots}. Requests counted: ${requests}.`,
  ...(violations > 0 ? [`${count(violations, "file")} changed that somebody else has claimed.`] : []),
  ...problems.map((problem) => `Not reported: ${problem}`),
];
