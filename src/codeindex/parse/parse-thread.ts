import { Worker } from "node:worker_threads";
import type { FileOutcome } from "../parsed-file.ts";

/** What is said to a thread that parses; it answers in the same order. */
export interface ParseRequest {
  readonly path: string;
  readonly bytes: Uint8Array;
}

export interface ParseReply {
  readonly outcome: FileOutcome;
}

interface ThreadEvents<Job> {
  answered(job: Job, outcome: FileOutcome): void;
  /** By itself, or because it took too long; with the jobs it still had, the one it was busy with first. */
  ended(reason: string, jobs: readonly Job[]): void;
}

/** The next file lies ready while one is parsed. */
const mostJobs = 2;

/** One thread, with the files it was given and the time that the first of them has. */
export class ParseThread<Job extends ParseRequest> {
  /** Whether it has ever parsed a file. */
  hasAnswered = false;
  readonly #worker: Worker;
  readonly #events: ThreadEvents<Job>;
  readonly #limitMs: number;
  #jobs: Job[] = [];
  #timer: NodeJS.Timeout | undefined;
  #hasEnded = false;

  constructor(file: URL, limitMs: number, events: ThreadEvents<Job>) {
    this.#events = events;
    this.#limitMs = limitMs;
    // Its output must not get among ours, which may be a protocol; and it needs nothing of the environment.
    this.#worker = new Worker(file, {
      ...{ stdout: true, stderr: true, env: {} },
      resourceLimits: { maxOldGenerationSizeMb: 512 },
    });
    this.#worker.stdout.resume();
    this.#worker.stderr.resume();
    this.#worker.unref();
    this.#worker.on("message", ({ outcome }: ParseReply) => this.#receive(outcome));
    this.#worker.on("error", () => undefined); // It has ended, which is what counts.
    this.#worker.on("exit", () => this.#finish("the parser failed on it"));
  }

  get load(): number {
    return this.#jobs.length;
  }

  get hasRoom(): boolean {
    return this.#jobs.length < mostJobs;
  }

  take(job: Job): void {
    this.#jobs.push(job);
    this.#worker.ref();
    // A copy to give away: the caller goes on using its own.
    const bytes = new Uint8Array(job.bytes);
    this.#worker.postMessage({ path: job.path, bytes } satisfies ParseRequest, [bytes.buffer]);
    if (this.#jobs.length === 1) this.#watch();
  }

  async end(): Promise<void> {
    this.#finish("parsing was stopped");
    await this.#worker.terminate();
  }

  #receive(outcome: FileOutcome): void {
    const job = this.#jobs.shift();
    if (!job || this.#hasEnded) return;
    this.hasAnswered = true;
    this.#watch();
    this.#events.answered(job, outcome);
  }

  #watch(): void {
    clearTimeout(this.#timer);
    if (this.#jobs.length === 0) this.#worker.unref();
    else this.#timer = setTimeout(() => this.#hang(), this.#limitMs).unref();
  }

  /** Does not wait for the end of a thread that may be stuck. */
  #hang(): void {
    this.#finish(`parsing took longer than ${Math.ceil(this.#limitMs / 1_000)} s`);
    void this.#worker.terminate();
  }

  #finish(reason: string): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    this.#events.ended(reason, this.#jobs);
    this.#jobs = [];
  }
}
