import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { devNull } from "node:os";
import type { Readable } from "node:stream";
import { Refusal } from "../../contract/refusal.ts";

/** One git command. Arguments are an array and never pass a shell. */
export interface GitCommand {
  readonly args: readonly string[];
  readonly cwd: string;
  /** Settings for this command alone, such as `core.protectNTFS=false`. */
  readonly settings?: readonly string[] | undefined;
  /** Beside the few variables every command gets; nothing else of our own environment is passed on. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly input?: string | Buffer | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  /** An open file that takes the output, of any size, in place of the answer. */
  readonly outputTo?: number | undefined;
  /** Exit codes that are answers, not failures; 0 is always one. */
  readonly answers?: readonly number[] | undefined;
}

export interface GitOutput {
  readonly code: number;
  readonly stdout: Buffer;
  /** The output as text, without the line end. */
  readonly text: string;
  /** What it had to say about things it could not look at, although it succeeded. */
  readonly complaints: string;
}

export interface GitProgram {
  /** A name that PATH finds, or a path. */
  readonly program: string;
  readonly mostBytes: number;
}

export const installedGit: GitProgram = { program: "git", mostBytes: 512 * 1024 * 1024 };

const defaultTimeoutMs = 20_000;
const mostErrorBytes = 64 * 1024;
const mostDetail = 2_000;
/** Git cleans up after itself when it is asked to end; one that does not is ended without asking. */
const killAfterMs = 3_000;

/** Runs git with no more than it needs, and so that no child outlives its time. */
export async function runGit({ program, mostBytes }: GitProgram, command: GitCommand): Promise<GitOutput> {
  const { args, cwd, signal, settings = [], answers = [], timeoutMs = defaultTimeoutMs } = command;
  const verb = args[0] ?? "";
  signal?.throwIfAborted();
  const child = spawn(program, [...calming, ...settings.flatMap((setting) => ["-c", setting]), ...args], {
    cwd,
    env: { ...environment(), ...command.env },
    detached: hasGroups,
    stdio: ["pipe", command.outputTo ?? "pipe", "pipe"],
    windowsHide: true,
  });
  const life = limitLife(child, signal);
  const timer = setTimeout(() => life.end(tookTooLong(verb, timeoutMs)), timeoutMs);
  const tooMuch = (): void => life.end(gitError(verb, `it said more than ${mostBytes} bytes`));
  const output = gather(child.stdout, mostBytes, tooMuch);
  const errors = gather(child.stderr, mostErrorBytes, () => undefined);
  child.stdin?.on("error", () => undefined);
  child.stdin?.end(command.input);
  try {
    const code = await ended(child, cwd);
    life.throwIfEnded();
    const complaints = errors().toString("utf8");
    if (code === null || (code !== 0 && !answers.includes(code))) {
      throw gitError(verb, "it ended with an error", complaints);
    }
    const stdout = output();
    return { code, stdout, text: stdout.toString("utf8").replace(/\r?\n$/, ""), complaints };
  } finally {
    clearTimeout(timer);
    life.clear();
  }
}

const hasGroups = process.platform !== "win32";

/** Ends a child and all its children when it is told to or the signal aborts: first politely, then not. */
function limitLife(child: ChildProcess, signal: AbortSignal | undefined) {
  let reason: { readonly why: unknown } | undefined;
  let killer: NodeJS.Timeout | undefined;
  const end = (why: unknown): void => {
    reason ??= { why };
    signalGroup(child.pid, "SIGTERM");
    killer ??= setTimeout(() => signalGroup(child.pid, "SIGKILL"), killAfterMs);
  };
  const onAbort = (): void => end(signal?.reason);
  signal?.addEventListener("abort", onAbort, { once: true });
  return {
    end,
    throwIfEnded(): void {
      if (reason) throw reason.why;
    },
    clear(): void {
      clearTimeout(killer);
      signal?.removeEventListener("abort", onAbort);
    },
  };
}

function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(hasGroups ? -pid : pid, signal);
  } catch {
    // It has ended by itself.
  }
}

/** The exit code, once the child and whoever inherited its output have ended. */
function ended(child: ChildProcess, cwd: string): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once("error", (error: NodeJS.ErrnoException) => reject(notStarted(error, cwd)));
    child.once("close", resolve);
  });
}

/** What comes out of a stream, up to a limit; the rest is thrown away. */
function gather(stream: Readable | null, most: number, onOverflow: () => void): () => Buffer {
  const chunks: Buffer[] = [];
  let size = 0;
  stream?.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size <= most) chunks.push(chunk);
    else onOverflow();
  });
  return () => Buffer.concat(chunks);
}

/**
 * The second lock behind the first: a repository's own configuration is not read (`view.ts`), and if it were, git would
 * run no program of its choosing. A hooks folder that is no folder cannot be filled by anyone, unlike an empty one.
 * Nothing we do needs a network.
 */
const calming = [
  "--no-pager",
  "--literal-pathspecs",
  ...[
    "core.fsmonitor=false",
    `core.hooksPath=${devNull}`,
    "core.splitIndex=false",
    "core.untrackedCache=false",
    "core.sshCommand=false",
    "core.askPass=",
    "core.editor=false",
    "core.alternateRefsCommand=",
    "credential.helper=",
    "commit.gpgSign=false",
    "tag.gpgSign=false",
    "log.showSignature=false",
    "diff.external=",
    "submodule.recurse=false",
    "protocol.allow=never",
    "protocol.ext.allow=never",
    "gc.auto=0",
    "maintenance.auto=false",
    // A copy that is about to be the only one must be on the disk, not only on its way there.
    "core.fsync=all",
  ].flatMap((setting) => ["-c", setting]),
];

function environment(): NodeJS.ProcessEnv {
  const { PATH, HOME, USERPROFILE, SystemRoot, TMPDIR, TEMP } = process.env;
  const own = { PATH, HOME, USERPROFILE, SystemRoot, TMPDIR, TEMP };
  return {
    ...Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined)),
    LANG: "C.UTF-8",
    LC_ALL: "C.UTF-8",
    GIT_TERMINAL_PROMPT: "0",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_NO_LAZY_FETCH: "1",
    // No transport has this name.
    GIT_ALLOW_PROTOCOL: "none",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_PAGER: "cat",
    GIT_EDITOR: "false",
  };
}

export function gitError(verb: string, what: string, said = ""): Refusal {
  const detail = said.trim().slice(-mostDetail);
  return new Refusal("GIT_ERROR", `git ${verb} failed: ${what}.`, undefined, detail === "" ? {} : { detail });
}

const tookTooLong = (verb: string, timeoutMs: number): Refusal =>
  new Refusal("GIT_ERROR", `git ${verb} failed: it took longer than ${timeoutMs} ms.`, undefined, { isLate: true });

function notStarted(error: NodeJS.ErrnoException, cwd: string): unknown {
  if (!existsSync(cwd)) return new Refusal("REPOSITORY_NOT_FOUND", "The repository's folder is gone.");
  if (error.code !== "ENOENT" && error.code !== "EACCES") return error;
  return new Refusal("CAPABILITY_MISSING", "Git could not be started.", "Install git and see that PATH finds it.");
}
