import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { hasProgram, type Place } from "../clients/client.ts";
import { isOurEntry } from "../clients/lines.ts";
import { recordOf } from "../hook/signal.ts";

const limitMs = 10_000;

/**
 * Whether Codex itself says that every hook of ours is trusted as it is now: it keeps a hash of each, and runs none that
 * has changed since. Undefined where it is not on this machine, or does not say.
 */
export async function askCodexHooks(place: Place): Promise<boolean | undefined> {
  if (!hasProgram(place, "codex")) return undefined;
  const own = hooksIn(await ask(place)).filter(isOurEntry);
  const states = own.map(({ trustStatus }) => trustStatus);
  return states.length === 0 ? undefined : states.every((state) => state === "trusted" || state === "managed");
}

function ask({ repository, env }: Place): Promise<unknown> {
  const requests = [
    { id: 1, method: "initialize", params: { clientInfo: { name: "crewdeck", title: "Crewdeck", version: "1" } } },
    { method: "initialized" },
    { id: 2, method: "hooks/list", params: { cwds: [repository] } },
  ];
  return new Promise((resolve) => {
    const options = { cwd: repository, env, timeout: limitMs };
    const child = spawn("codex", ["app-server"], { ...options, stdio: ["pipe", "pipe", "ignore"] });
    const end = (value: unknown): void => {
      child.kill();
      resolve(value);
    };
    child.once("error", () => end(undefined)).once("close", () => end(undefined));
    child.stdin.on("error", () => undefined);
    createInterface({ input: child.stdout }).on("line", (line) => {
      const answer = recordOf(parse(line));
      if (answer?.["id"] === 2) end(answer["result"]);
    });
    child.stdin.write(requests.map((request) => `${JSON.stringify(request)}\n`).join(""));
  });
}

/** Wherever they stand in the answer: by folder, by file or in one list. */
function hooksIn(value: unknown): Record<string, unknown>[] {
  if (Array.isArray(value)) return value.flatMap(hooksIn);
  const fields = recordOf(value);
  if (fields === undefined) return [];
  return "trustStatus" in fields ? [fields] : Object.values(fields).flatMap(hooksIn);
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
