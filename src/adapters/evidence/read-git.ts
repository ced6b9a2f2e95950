import { spawn } from "node:child_process";
import { Refusal } from "../../contract/refusal.ts";

const largestOutput = 256 * 1024 * 1024;
const timeLimitMs = 60_000;

/**
 * Repository configuration can name programs that git would run on a mere look; none of them does here. Nothing of the
 * server's own environment is passed on.
 */
const quiet = [
  "--no-pager",
  "-c",
  "core.fsmonitor=false",
  "-c",
  "core.hooksPath=/dev/null",
  "-c",
  "core.quotePath=false",
  "-c",
  "core.attributesFile=/dev/null",
  "-c",
  "diff.external=",
  "-c",
  "submodule.recurse=false",
];

const environment = (): NodeJS.ProcessEnv => ({
  PATH: process.env["PATH"],
  HOME: "/nonexistent",
  LANG: "C.UTF-8",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_TERMINAL_PROMPT: "0",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_NO_LAZY_FETCH: "1",
});

export interface GitOutput {
  readonly code: number;
  readonly stdout: string;
}

/** Runs a reading git command in a folder. `input` goes to its stdin; a non-zero exit is answered, not thrown. */
export function readGit(
  folder: string,
  args: readonly string[],
  options: { signal: AbortSignal; input?: string | undefined; config?: readonly string[] },
): Promise<GitOutput> {
  return new Promise((resolve, reject) => {
    const child = spawn("git", [...quiet, ...(options.config ?? []), ...args], {
      cwd: folder,
      env: environment(),
      stdio: ["pipe", "pipe", "ignore"],
      signal: options.signal,
      timeout: timeLimitMs,
      killSignal: "SIGKILL",
    });
    const chunks: Buffer[] = [];
    let size = 0;
    child.stdout.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > largestOutput) child.kill("SIGKILL");
      else chunks.push(chunk);
    });
    child.stdin.on("error", () => undefined);
    child.stdin.end(options.input ?? "");
    child.on("error", (error) => reject(options.signal.aborted ? options.signal.reason : gitMissing(error)));
    child.on("close", (code) => {
      if (code === null) reject(options.signal.aborted ? options.signal.reason : tookTooLong());
      else resolve({ code, stdout: Buffer.concat(chunks).toString("utf8") });
    });
  });
}

const gitMissing = (error: Error): Refusal =>
  new Refusal(
    "GIT_ERROR",
    `Git could not be started (${(error as NodeJS.ErrnoException).code ?? "unknown"}).`,
    "Install git.",
  );

const tookTooLong = (): Refusal =>
  new Refusal("GIT_ERROR", "Git took too long or answered too much and was ended.", "Look at the repository by hand.");

/** Splits NUL-separated output. */
export const parts = (text: string): string[] => text.split("\0").filter((part) => part !== "");
