import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { WorkerVectors } from "../../src/adapters/vectors/worker-vectors.ts";

/** Vectors of a fake thread, and what was logged about it. */
export function fakeVectors(kind: "letters" | "absent" | "silent") {
  const warnings: string[] = [];
  const vectors = new WorkerVectors({
    file: pathToFileURL(join(import.meta.dirname, `${kind}-worker.mjs`)),
    log: { warn: (facts, message) => warnings.push(`${message} ${JSON.stringify(facts)}`) },
  });
  return { vectors, warnings };
}
