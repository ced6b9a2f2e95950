import { Worker } from "node:worker_threads";
import type { VectorProvider } from "../../domain/overlap/port.ts";
import type { VectorReply, VectorRequest } from "./protocol.ts";

export interface WorkerVectorsLog {
  warn(facts: object, message: string): void;
}

export interface WorkerVectorsParts {
  /** A module that answers each `VectorRequest` with a `VectorReply`. */
  readonly file: URL;
  readonly version: string;
  readonly log: WorkerVectorsLog;
}

/** A thread that ends by itself so often will not get better. */
const mostCrashes = 3;
const wordsAlone = "no vectors: titles are compared by their words alone";

interface Waiting {
  resolve(vectors: readonly Float32Array[]): void;
  reject(error: Error): void;
}

/** Vectors from a thread of their own, started with the first text. One that crashes is replaced a few times (VE6). */
export class WorkerVectors implements VectorProvider {
  readonly version: string;
  readonly #file: URL;
  readonly #log: WorkerVectorsLog;
  #worker: Worker | undefined;
  #waiting: Waiting | undefined;
  #crashes = 0;
  /** Why there will be no vectors any more. */
  #ended: string | undefined;

  constructor({ file, version, log }: WorkerVectorsParts) {
    this.version = version;
    this.#file = file;
    this.#log = log;
  }

  embed(texts: readonly string[]): Promise<readonly Float32Array[]> {
    return new Promise((resolve, reject) => {
      if (this.#ended !== undefined) return reject(new Error(this.#ended));
      if (this.#waiting) return reject(new Error("one request at a time"));
      this.#waiting = { resolve, reject };
      this.#worker ??= this.#start();
      this.#worker.postMessage({ texts } satisfies VectorRequest);
    });
  }

  async close(): Promise<void> {
    this.#end("closed");
    await this.#worker?.terminate();
  }

  #start(): Worker {
    // Its output must not get among ours, which may be a protocol; and it needs nothing of the environment.
    const worker = new Worker(this.#file, { stdout: true, stderr: true, env: {} });
    worker.stdout.resume();
    worker.stderr.resume();
    worker.unref();
    worker.on("message", (reply: VectorReply) => this.#receive(reply));
    worker.on("error", (error) => this.#log.warn({ error: error.message }, "the thread for vectors failed"));
    worker.on("exit", () => this.#replace());
    return worker;
  }

  #receive(reply: VectorReply): void {
    if ("vectors" in reply) {
      this.#settle(({ resolve }) => resolve(reply.vectors));
      return;
    }
    this.#log.warn({ reason: reply.absent }, wordsAlone);
    this.#end(reply.absent);
    void this.#worker?.terminate();
  }

  #replace(): void {
    this.#worker = undefined;
    if (this.#ended !== undefined) return;
    this.#crashes += 1;
    this.#settle(({ reject }) => reject(new Error("the thread for vectors has ended")));
    if (this.#crashes < mostCrashes) return;
    this.#log.warn({ crashes: this.#crashes }, wordsAlone);
    this.#end("the thread for vectors has ended too often");
  }

  #end(reason: string): void {
    this.#ended ??= reason;
    this.#settle(({ reject }) => reject(new Error(reason)));
  }

  #settle(say: (waiting: Waiting) => void): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting) say(waiting);
  }
}
