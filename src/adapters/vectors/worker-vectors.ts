import { Worker } from "node:worker_threads";
import type { SentenceModel, VectorReply, VectorRequest } from "./protocol.ts";

interface WorkerVectorsLog {
  warn(facts: object, message: string): void;
}

interface WorkerVectorsParts {
  /** A module that answers each `VectorRequest` with a `VectorReply`. */
  readonly file: URL;
  readonly log: WorkerVectorsLog;
  /** What the module is told at its start. */
  readonly data?: SentenceModel;
}

/** A thread that fails so often will not get better. */
const mostCrashes = 3;

/** Far more than a few texts take, even on a busy machine that has to load the model first. */
const answersWithinMs = 60_000;

/** After the first failure; twice as long after each further one. */
const pauseMs = 1_000;

const noVectors = "no vectors until the next start";

interface Waiting {
  resolve(vectors: readonly Float32Array[]): void;
  reject(error: Error): void;
}

/**
 * Turns texts into vectors that lie close together where the texts mean the same, in a thread of its own that starts with
 * the first text. One that crashes or hangs is replaced a few times (VE6, VE10).
 */
export class WorkerVectors {
  readonly #file: URL;
  readonly #log: WorkerVectorsLog;
  readonly #data: SentenceModel | undefined;
  #worker: Worker | undefined;
  #waiting: Waiting | undefined;
  #timer: NodeJS.Timeout | undefined;
  #crashes = 0;
  /** Why there will be no vectors any more. */
  #ended: string | undefined;

  constructor({ file, log, data }: WorkerVectorsParts) {
    this.#file = file;
    this.#data = data;
    this.#log = log;
  }

  /** One vector for each text, in their order. */
  embed(texts: readonly string[]): Promise<readonly Float32Array[]> {
    return new Promise((resolve, reject) => {
      if (this.#ended !== undefined) return reject(new Error(this.#ended));
      if (this.#waiting) return reject(new Error("one request at a time"));
      this.#waiting = { resolve, reject };
      if (this.#worker || this.#crashes === 0) this.#send(texts);
      else this.#in(pauseMs * 2 ** (this.#crashes - 1), () => this.#send(texts));
    });
  }

  async close(): Promise<void> {
    this.#end("closed");
    await this.#worker?.terminate();
  }

  #send(texts: readonly string[]): void {
    this.#worker ??= this.#start();
    this.#worker.postMessage({ texts } satisfies VectorRequest);
    this.#in(answersWithinMs, () => this.#replace("the thread for vectors did not answer in time"));
  }

  #in(ms: number, act: () => void): void {
    this.#timer = setTimeout(act, ms).unref();
  }

  #start(): Worker {
    // Its output must not get among ours, which may be a protocol; and it needs nothing of the environment.
    const worker = new Worker(this.#file, { stdout: true, stderr: true, env: {}, workerData: this.#data });
    worker.stdout.resume();
    worker.stderr.resume();
    worker.unref();
    worker.on("message", (reply: VectorReply) => this.#receive(reply));
    worker.on("error", (error) => this.#log.warn({ error: error.message }, "the thread for vectors failed"));
    worker.on("exit", () => {
      if (worker === this.#worker) this.#replace("the thread for vectors has ended");
    });
    return worker;
  }

  #receive(reply: VectorReply): void {
    if ("vectors" in reply) {
      this.#settle(({ resolve }) => resolve(reply.vectors));
      return;
    }
    this.#log.warn({ reason: reply.absent }, noVectors);
    this.#end(reply.absent);
    void this.#worker?.terminate();
  }

  /** Does not wait for the end of the old thread, which may be stuck where nothing can end it. */
  #replace(reason: string): void {
    void this.#worker?.terminate();
    this.#worker = undefined;
    if (this.#ended !== undefined) return;
    this.#crashes += 1;
    this.#settle(({ reject }) => reject(new Error(reason)));
    if (this.#crashes < mostCrashes) return;
    this.#log.warn({ crashes: this.#crashes, reason }, noVectors);
    this.#end("the thread for vectors has failed too often");
  }

  #end(reason: string): void {
    this.#ended ??= reason;
    this.#settle(({ reject }) => reject(new Error(reason)));
  }

  #settle(say: (waiting: Waiting) => void): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    clearTimeout(this.#timer);
    if (waiting) say(waiting);
  }
}
