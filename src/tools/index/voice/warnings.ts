import { z } from "zod";
import type { Capabilities } from "../../../domain/artifact/port.ts";
import type { FoundModel } from "../../../domain/codeindex/port.ts";

export const Warning = z.object({ code: z.string(), message: z.string() });

/** What search has to do without. None of it is needed for an ordinary search. */
export function listWarnings(found: Capabilities, model: FoundModel | undefined): z.input<typeof Warning>[] {
  const missing = (names: readonly string[]): boolean => names.length === 0;
  return [
    ...(missing(found.models) ? [modelMissing] : []),
    ...(missing(found.models) || model ? [] : [modelUnusable]),
    ...(model?.canRun === false ? [runtimeMissing] : []),
    ...(missing(found.dictionaries) ? [dictionaryMissing] : []),
    ...(missing(found.extensions) ? [extensionMissing] : []),
    ...(found.sqlite ? [] : [sqliteMissing]),
    documentsMissing,
  ];
}

const modelMissing = {
  code: "model_missing",
  message: "No embedding model is installed, so search ranks by words only. Get one with download_models.",
};
const modelUnusable = {
  code: "model_unusable",
  message:
    "What's in the models folder can't be used: a model has an .onnx file and a tokenizer.json or vocab.txt, and is installed with download_models.",
};
const runtimeMissing = {
  code: "model_runtime_missing",
  message: "A model is installed, but nothing runs it. Install the package onnxruntime-web beside Crewdeck.",
};
const dictionaryMissing = {
  code: "dictionary_missing",
  message: "No dictionary is installed, so query words aren't widened. Get one with download_dictionaries.",
};
const extensionMissing = {
  code: "extension_missing",
  message: "No vector extension is installed. Get one with download_extensions.",
};
const sqliteMissing = {
  code: "sqlite_missing",
  message: "SQLite isn't available, so build_sqlite_index can't run. Reinstall Crewdeck's packages.",
};
const documentsMissing = {
  code: "document_extract_missing",
  message: "PDF and Word files can't be read and are skipped by build_index.",
};
