import { join } from "node:path";
import { Refusal } from "../../contract/refusal.ts";
import type { FoundModel } from "../../domain/codeindex/port.ts";
import { hashOf } from "../artifacts/download/fetch.ts";
import { readInstalled } from "../artifacts/download/installed.ts";
import { hasPackage } from "../package.ts";
import type { SentenceModel } from "./protocol.ts";
import { WorkerVectors } from "./worker-vectors.ts";

interface SentenceVectorsParts {
  /** Where models are installed. */
  readonly folder: string;
  /** A module that answers each `VectorRequest` with a `VectorReply`. */
  readonly file: URL;
  /** Packages that the module wants and that Crewdeck does not bring. */
  readonly needs?: readonly string[];
  readonly log: { warn(facts: object, message: string): void };
}

interface InstalledModel extends SentenceModel {
  readonly name: string;
  readonly id: string;
}

/** Vectors of the sentence model that was downloaded. Only what is as it was installed is ever run. */
export class SentenceVectors {
  readonly #parts: SentenceVectorsParts;
  #opened: { readonly id: string; readonly vectors: WorkerVectors } | undefined;

  constructor(parts: SentenceVectorsParts) {
    this.#parts = parts;
  }

  async findModel(): Promise<(FoundModel & { readonly id: string }) | undefined> {
    const found = await this.#find();
    return found && { name: found.name, id: found.id, canRun: this.#parts.needs?.every(hasPackage) ?? true };
  }

  async embed(texts: readonly string[]): Promise<readonly Float32Array[]> {
    const model = await this.#find();
    if (!model) throw unusable("No model is installed.");
    if (this.#opened?.id !== model.id) {
      await this.#opened?.vectors.close();
      await this.#check(model);
      const { file, log } = this.#parts;
      const { words, weights } = model;
      this.#opened = { id: model.id, vectors: new WorkerVectors({ file, log, data: { words, weights } }) };
    }
    return this.#opened.vectors.embed(texts).catch((error: Error) => {
      throw unusable(`No vectors can be made: ${error.message}.`);
    });
  }

  async close(): Promise<void> {
    await this.#opened?.vectors.close();
  }

  /** The first model by name that has weights and words. */
  async #find(): Promise<InstalledModel | undefined> {
    const { folder } = this.#parts;
    const installed = Object.entries(await readInstalled(folder)).sort(([one], [other]) => (one < other ? -1 : 1));
    for (const [name, { sha256, files }] of installed) {
      const names = Object.keys(files);
      const weights =
        names.find((file) => file.endsWith("/model.onnx")) ?? names.find((file) => file.endsWith(".onnx"));
      const words =
        names.find((file) => file.endsWith("tokenizer.json")) ?? names.find((file) => file.endsWith("vocab.txt"));
      if (weights !== undefined && words !== undefined) {
        return { name, id: sha256, weights: join(folder, weights), words: join(folder, words) };
      }
    }
    return undefined;
  }

  async #check({ name, weights, words }: InstalledModel): Promise<void> {
    const { folder } = this.#parts;
    const files = (await readInstalled(folder))[name]?.files ?? {};
    for (const [file, hash] of Object.entries(files)) {
      const path = join(folder, file);
      if (path !== weights && path !== words) continue;
      if ((await hashOf(path).catch(() => "")) !== hash) throw unusable("The model is not what was installed.");
    }
  }
}

const unusable = (message: string): Refusal =>
  new Refusal(
    "CAPABILITY_MISSING",
    message,
    "Leave `ann` out, or get a sentence model with download_models and install onnxruntime-web beside Crewdeck.",
  );

/** As it runs in the program: the module of the thread lies beside it. */
export function openSentenceVectors(parts: Omit<SentenceVectorsParts, "file" | "needs">): SentenceVectors {
  const file = new URL("./sentence-worker.js", import.meta.url);
  return new SentenceVectors({ ...parts, file, needs: ["onnxruntime-web"] });
}
