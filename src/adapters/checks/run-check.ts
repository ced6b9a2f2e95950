import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import type { CheckOutcome, ConfiguredCheck } from "../../domain/evidence/port.ts";
import { Tail } from "./tail.ts";

interface CheckLimits {
  readonly mostBytes: number;
  /** A check that is told to end has so long to do it. */
  readonly killAfterMs: number;
}

const checkLimits: CheckLimits = { mostBytes: 16 * 1024 * 1024, killAfterMs: 2_000 };

/** Whoever has left the check's group and still holds its output is not waited for longer. */
const leftBehindMs = 500;

type Ending = Exclude<CheckOutcome["status"], "passed" | "failed">;

/** Runs one check without a shell, and ends it with all its children when its time or its output is used up. */
export async function runCheck(
  check: ConfiguredCheck,
  ask: { readonly folder: string; readonly signal: AbortSignal; readonly limits?: CheckLimits },
): Promise<CheckOutcome> {
  const { folder, signal, limits = checkLimits } = ask;
  signal.throwIfAborted();
  const startedAt = performance.now();
  const [program = "", ...args] = check.command;
  const child = spawn(program, args, {
    cwd: folder,
    env: cleanEnvironment(),
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const life = new Life(child, limits.killAfterMs);
  const onAbort = (): void => life.end("not_started");
  signal.addEventListener("abort", onAbort, { once: true });
  const timer = setTimeout(() => life.end("timed_out"), check.timeoutMs);
  const hash = createHash("sha256");
  const tail = new Tail();
  let bytes = 0;
  const take = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes > limits.mostBytes) life.end("too_much_output");
    else {
      hash.update(chunk);
      tail.add(chunk);
    }
  };
  child.stdout.on("data", take);
  child.stderr.on("data", take);
  const code = await ended(child, life);
  clearTimeout(timer);
  signal.removeEventListener("abort", onAbort);
  signal.throwIfAborted();
  return {
    name: check.name,
    status: life.ending ?? (code === 0 ? "passed" : "failed"),
    exitCode: code,
    durationMs: Math.round(performance.now() - startedAt),
    outputHash: hash.digest("hex"),
    lastLines: tail.text(),
  };
}

/** The exit code; null where it was ended by a signal or never began. Nobody of its group is left afterwards. */
function ended(child: ChildProcess, life: Life): Promise<number | null> {
  return new Promise((resolve) => {
    child.once("error", () => {
      life.ending ??= "not_started";
      resolve(null);
    });
    child.once("exit", (code) => {
      life.clear();
      const done = (): void => {
        child.stdout?.destroy();
        child.stderr?.destroy();
        resolve(code);
      };
      const timer = setTimeout(done, leftBehindMs);
      child.once("close", () => {
        clearTimeout(timer);
        resolve(code);
      });
    });
  });
}

/** A check and the group of processes it leads. */
class Life {
  ending: Ending | undefined;
  readonly #child: ChildProcess;
  readonly #killAfterMs: number;
  #killer: NodeJS.Timeout | undefined;

  constructor(child: ChildProcess, killAfterMs: number) {
    this.#child = child;
    this.#killAfterMs = killAfterMs;
  }

  end(why: Ending): void {
    if (this.ending !== undefined) return;
    this.ending = why;
    this.#signal("SIGTERM");
    this.#killer = setTimeout(() => this.#signal("SIGKILL"), this.#killAfterMs);
  }

  /** What the check has left running ends with it. */
  clear(): void {
    clearTimeout(this.#killer);
    this.#signal("SIGKILL");
  }

  #signal(signal: NodeJS.Signals): void {
    if (this.#child.pid === undefined) return;
    try {
      process.kill(-this.#child.pid, signal);
    } catch {
      // The group has ended by itself.
    }
  }
}

/** What programs need to find each other, and nothing of ours: no token, no setting, no agent's variable. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const { PATH, HOME, USER, LOGNAME, TMPDIR } = process.env;
  const own = { PATH, HOME, USER, LOGNAME, TMPDIR };
  return {
    ...Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined)),
    LANG: "C.UTF-8",
    CI: "1",
    NO_COLOR: "1",
    TERM: "dumb",
  };
}
