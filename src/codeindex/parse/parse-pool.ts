import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import type { FileOutcome } from "../parsed-file.ts";
import { ParseThread } from "./parse-thread.ts";

interface ParsePoolParts {
  /** A module that answers each `ParseRequest` with a `ParseReply`; without one files are parsed in the caller's thread. */
  readonly file?: URL | undefined;
  readonly threads?: number;
  /** Far more than the largest file takes, even on a busy machine. */
  readonly limitMs?: number;
  /** After so long without work threads end, and with them the memory that parsing took. */
  readonly idleMs?: number;
}

interface Job {
  readonly path: string;
  readonly bytes: Uint8Array;
  settle(outcome: FileOutcome): void;
  fail(error: Error): void;
}

/** Waiting callers hold their files themselves; more than this is not taken over from them. */
const mostWaitingBytes = 32 * 1024 * 1024;

/** Threads that end without ever having answered will not get better. */
const mostFailures = 5;

const closed = "the parser is closed";
const notStarting = "the parser's threads do not start";

/**
 * Parses files in a few threads, which begin with the first file and end when there has been nothing to do. A file on which
 * a thread crashes or hangs is skipped and the thread replaced; the files behind it are parsed by another.
 */
export class ParsePool {
  readonly #parts: Required<Omit<ParsePoolParts, "file">> & { readonly file: URL | undefined };
  readonly #threads = new Set<ParseThread<Job>>();
  readonly #queue: Job[] = [];
  readonly #waiting: (() => void)[] = [];
  #queuedBytes = 0;
  #failures = 0;
  #isClosed = false;
  #idle: NodeJS.Timeout | undefined;

  constructor({ file, threads = usualThreads(), limitMs = 20_000, idleMs = 30_000 }: ParsePoolParts = {}) {
    this.#parts = { file, threads, limitMs, idleMs };
  }

  /** Waits while too much is waiting already. The bytes stay the caller's. */
  async parse(path: string, bytes: Uint8Array): Promise<FileOutcome> {
    if (!this.#parts.file) {
      // Loaded late: a server with threads has no use for the parsers in its own.
      const { parseFile } = await import("./parse-file.ts");
      return parseFile(path, bytes);
    }
    while (this.#queuedBytes > mostWaitingBytes) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    if (this.#isClosed) throw new Error(closed);
    if (this.#failures >= mostFailures) throw new Error(notStarting);
    return new Promise((settle, fail) => {
      this.#queuedBytes += bytes.length;
      this.#queue.push({ path, bytes, settle, fail });
      this.#hand();
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#giveUp(new Error(closed));
    await this.#endThreads();
  }

  /** Gives waiting files to threads with room, and starts another thread where all are busy. */
  #hand(): void {
    clearTimeout(this.#idle);
    while (this.#queue.length > 0) {
      const thread = this.#freest();
      if (!thread) return;
      const job = this.#queue.shift();
      if (!job) return;
      this.#queuedBytes -= job.bytes.length;
      thread.take(job);
    }
    while (this.#queuedBytes <= mostWaitingBytes && this.#waiting.length > 0) this.#waiting.shift()?.();
    const isIdle = [...this.#threads].every(({ load }) => load === 0);
    if (isIdle && this.#threads.size > 0) {
      this.#idle = setTimeout(() => void this.#endThreads(), this.#parts.idleMs).unref();
    }
  }

  #freest(): ParseThread<Job> | undefined {
    const [best] = [...this.#threads].sort((a, b) => a.load - b.load);
    if (best && best.load === 0) return best;
    if (this.#threads.size < this.#parts.threads && this.#parts.file) return this.#start(this.#parts.file);
    return best?.hasRoom ? best : undefined;
  }

  #start(file: URL): ParseThread<Job> {
    const thread = new ParseThread<Job>(file, this.#parts.limitMs, {
      answered: (job, outcome) => {
        this.#failures = 0;
        job.settle(outcome);
        this.#hand();
      },
      ended: (reason, [culprit, ...others]) => {
        this.#threads.delete(thread);
        if (!thread.hasAnswered) this.#failures += 1;
        if (this.#isClosed) culprit?.fail(new Error(closed));
        else culprit?.settle({ skipped: reason });
        for (const job of others) this.#queuedBytes += job.bytes.length;
        this.#queue.unshift(...others);
        if (this.#isClosed) this.#giveUp(new Error(closed));
        else if (this.#failures >= mostFailures) this.#giveUp(new Error(notStarting));
        else this.#hand();
      },
    });
    this.#threads.add(thread);
    return thread;
  }

  #giveUp(error: Error): void {
    for (const job of this.#queue.splice(0)) job.fail(error);
    this.#queuedBytes = 0;
    for (const go of this.#waiting.splice(0)) go();
  }

  async #endThreads(): Promise<void> {
    clearTimeout(this.#idle);
    const threads = [...this.#threads];
    this.#threads.clear();
    await Promise.all(threads.map((thread) => thread.end()));
  }
}

/** Beside the program or beside the compiled file; in a clone that runs from its source there is none. */
export function findParseWorker(): URL | undefined {
  return ["./parse-worker.js", "./worker.js"]
    .map((name) => new URL(name, import.meta.url))
    .find((url) => existsSync(url));
}

/** One core stays for whoever asks for the parsing. */
const usualThreads = (): number => Math.max(1, Math.min(8, availableParallelism() - 1));
