import { z } from "zod";
import { downloadArtifact } from "../../domain/artifact/operations.ts";
import { locateRepository } from "../../domain/project/locate-operations.ts";
import { defineTool } from "../define.ts";
import { RepoPath } from "./references.ts";
import { Dir, DownloadAnswer, downloadAnswer, downloadRefusals } from "./voice/downloads.ts";

const defaultModel = "all-MiniLM-L12-v2";

export default defineTool({
  name: "download_models",
  family: "index",
  title: "Download a model",
  summary:
    "Download an embedding model so that search can rank by meaning; only from allowed hosts, with a known hash.",
  guidance: "Downloads must be allowed in config.json. Check the result with config_status.",
  keywords: "install fetch embedding model onnx semantic vectors",
  effect: "create",
  isRepeatable: true,
  callers: ["agent"],
  limits: { timeoutMs: 600_000 },
  input: z.object({
    repoPath: RepoPath,
    model: z
      .string()
      .min(1)
      .max(2_200)
      .optional()
      .describe(`A name under downloads.files, or an address ending in #sha256=…; ${defaultModel} unless given.`),
    cacheDir: Dir,
  }),
  output: DownloadAnswer.extend({ model: z.string(), path: z.string() }),
  refusals: downloadRefusals,
  examples: [{ title: "by its address", input: { model: "$model" } }],
  async observe({ repoPath, model = defaultModel, cacheDir }, look) {
    const name = model.includes("://") ? nameIn(model) : model;
    const ask = { kind: "models", name, from: [model], dir: cacheDir, force: false } as const;
    if (repoPath !== undefined) await locateRepository(look, repoPath);
    return downloadArtifact(look, ask);
  },
  async handle(_input, _work, installed) {
    return { model: installed.name, path: installed.path, ...downloadAnswer([installed]) };
  },
});

/** What a model at an address is called: its file without the endings. */
const nameIn = (address: string): string =>
  (address.split(/[?#]/)[0] ?? "")
    .split("/")
    .at(-1)
    ?.replace(/\.(tar\.gz|tgz|tar|zip|onnx)$/i, "") ?? "model";
