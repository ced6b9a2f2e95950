import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { WorkerVectors } from "../../../src/adapters/vectors/worker-vectors.ts";
import type { VectorProvider } from "../../../src/domain/overlap/port.ts";

/** Vectors of a fake thread, and what was logged about it. */
export function fakeVectors(kind: "letters" | "absent" | "silent") {
  const warnings: string[] = [];
  const vectors = new WorkerVectors({
    file: pathToFileURL(join(import.meta.dirname, `${kind}-worker.mjs`)),
    version: "letters",
    log: { warn: (facts, message) => warnings.push(`${message} ${JSON.stringify(facts)}`) },
  });
  return { vectors, warnings };
}

/** Answers only when told to, and remembers what it was asked. */
export class HeldVectors implements VectorProvider {
  readonly version = "held";
  readonly asked: string[][] = [];
  #answers: (() => void)[] = [];
  isClosed = false;

  embed(texts: readonly string[]): Promise<readonly Float32Array[]> {
    this.asked.push([...texts]);
    return new Promise((resolve) => this.#answers.push(() => resolve(texts.map(() => Float32Array.of(1, 2, 2)))));
  }

  answer(): void {
    for (const answer of this.#answers.splice(0)) answer();
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }
}
