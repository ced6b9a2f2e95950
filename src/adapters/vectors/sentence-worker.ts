import { readFileSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import type * as Runtime from "onnxruntime-web";
import type { SentenceModel, VectorReply, VectorRequest } from "./protocol.ts";
import { readWordPieces } from "./word-pieces.ts";

/** The thread in which a sentence model runs: it takes tens of milliseconds of computing for each text. */

const answer = (reply: VectorReply): void => parentPort?.postMessage(reply);
const opening = open(workerData as SentenceModel);

parentPort?.on("message", async ({ texts }: VectorRequest) => {
  const embed = await opening;
  if (!embed) return;
  const vectors: Float32Array[] = [];
  for (const text of texts) vectors.push(await embed(text));
  answer({ vectors });
});

async function open(model: SentenceModel): Promise<((text: string) => Promise<Float32Array>) | undefined> {
  const runtime = await import("onnxruntime-web").catch(() => undefined);
  if (!runtime) {
    answer({ absent: "onnxruntime-web is not installed beside Crewdeck" });
    return undefined;
  }
  try {
    runtime.env.wasm.numThreads = 1;
    const pieces = readWordPieces({ name: model.words, text: readFileSync(model.words, "utf8") });
    const session = await runtime.InferenceSession.create(readFileSync(model.weights));
    return (text) => embed(text, { runtime, session, read: pieces.read });
  } catch (error) {
    answer({ absent: `the model can't be used: ${error instanceof Error ? error.message : "unknown"}`.slice(0, 500) });
    return undefined;
  }
}

interface Opened {
  readonly runtime: typeof Runtime;
  readonly session: Runtime.Session;
  read(text: string): number[];
}

/** The mean of what the model says about each piece, or what it says about the whole where it does. */
async function embed(text: string, { runtime, session, read }: Opened): Promise<Float32Array> {
  const numbers = read(text);
  const tensor = (values: readonly number[]): Runtime.Tensor =>
    new runtime.Tensor("int64", BigInt64Array.from(values, BigInt), [1, values.length]);
  const all: Readonly<Record<string, readonly number[]>> = {
    input_ids: numbers,
    attention_mask: numbers.map(() => 1),
    token_type_ids: numbers.map(() => 0),
  };
  const feeds = Object.fromEntries(session.inputNames.map((name) => [name, tensor(all[name] ?? numbers)]));
  const outputs = await session.run(feeds);
  const name = session.outputNames.find((one) => one === "sentence_embedding") ?? session.outputNames[0] ?? "";
  const { data, dims } = outputs[name] ?? { data: new Float32Array(), dims: [0] };
  const width = dims.at(-1) ?? 0;
  const sum = new Float32Array(width);
  for (const [place, value] of data.entries()) sum[place % width] = (sum[place % width] ?? 0) + value;
  const length = Math.hypot(...sum) || 1;
  return sum.map((value) => value / length);
}
