import type { VectorProvider } from "../../domain/overlap/port.ts";
import { WorkerVectors, type WorkerVectorsLog } from "./worker-vectors.ts";

/** The vectors that the settings ask for; none unless they do. Nothing is loaded before the first text. */
export function openVectors(kind: "none" | "minilm", log: WorkerVectorsLog): VectorProvider | undefined {
  if (kind === "none") return undefined;
  const file = new URL("./minilm-worker.js", import.meta.url);
  return new WorkerVectors({ file, version: "minilm-l6-v2", log });
}
