import { homeAt } from "../../adapters/home.ts";
import { writeAnswer } from "../../companion/hook/answers.ts";
import { deniedCode } from "../../companion/hook/denied-code.ts";
import { readSignal } from "../../companion/hook/read-signal.ts";
import { respond } from "../../companion/hook/respond.ts";
import type { HookClient, Signal } from "../../companion/hook/signal.ts";
import { companionAt } from "../../companion/places.ts";

/** How long the server may take before an edit passes, unless `COVIBE_HOOK_TIMEOUT` says otherwise. */
const usualLimitMs = 300;
/** Whatever happens, a client waits no longer than so many times that. */
const longestWait = 3;
const largestInput = 16 * 1024 * 1024;

/**
 * `crewdeck hook CLIENT [EVENT]`: what clients call at every edit, prompt and stop. It loads nothing of the command line,
 * ends with 0 whatever happens, and says nothing unless it has to.
 */
export async function run([client = "", event]: readonly string[]): Promise<number> {
  const limitMs = Number(process.env["COVIBE_HOOK_TIMEOUT"]) || usualLimitMs;
  if (client === "git") return gateCommit(limitMs);
  let signal: Signal | undefined;
  const late = new Promise<string>((settle) => {
    setTimeout(() => settle(silenceOf(client, signal)), limitMs * longestWait).unref();
  });
  const answered = answer({ client, event, limitMs }, (read) => {
    signal = read;
  }).catch(() => silenceOf(client, signal));
  const text = await Promise.race([answered, late]);
  if (text !== "") process.stdout.write(`${text}\n`);
  return 0;
}

/** `crewdeck hook git`, called by a repository's pre-commit: the only one that says no with its exit code. */
async function gateCommit(limitMs: number): Promise<number> {
  const { checkCommit } = await import("../../companion/hook/commit.ts");
  const { deny, unchecked } = await checkCommit(process.cwd(), surroundings(limitMs));
  if (unchecked !== undefined) process.stderr.write(`crewdeck: claims were not checked: ${unchecked}.\n`);
  if (deny === undefined) return 0;
  process.stderr.write(`crewdeck: ${deny}\n`);
  return deniedCode;
}

const surroundings = (limitMs: number) => ({
  companion: companionAt(),
  home: homeAt(undefined),
  env: process.env,
  now: new Date(),
  limitMs,
});

interface Ask {
  readonly client: string;
  readonly event: string | undefined;
  readonly limitMs: number;
}

async function answer({ client, event, limitMs }: Ask, onRead: (signal: Signal | undefined) => void): Promise<string> {
  const signal = readSignal(client, await readInput(), event);
  onRead(signal);
  if (signal === undefined) return silenceOf(client, signal);
  return writeAnswer(signal.client, signal.moment, await respond(signal, surroundings(limitMs)));
}

/** Only Cursor takes silence for a no, and of whatever it sends. */
const silenceOf = (client: string, signal: Signal | undefined): string =>
  client === "cursor" ? writeAnswer(client satisfies HookClient, signal?.moment, {}) : "";

async function readInput(): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin) {
    size += (chunk as Buffer).length;
    if (size > largestInput) return "";
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString("utf8");
}
