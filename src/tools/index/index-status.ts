import { z } from "zod";
import { codeModes } from "../../domain/codeindex/model.ts";
import type { FoundModel } from "../../domain/codeindex/port.ts";
import { locateRepository } from "../../domain/project/locate-operations.ts";
import { defineTool } from "../define.ts";
import { RepoPath } from "./references.ts";
import { IndexFacts, mostSkipped, Skipped } from "./voice/hits.ts";

const Mode = z.object({
  exists: z.boolean(),
  mtime: z.string().nullable().describe("When it was indexed last."),
  bytes: z.number().int().describe("Size of its text."),
  files: z.number().int(),
  chunks: z.number().int(),
});

export default defineTool({
  name: "index_status",
  family: "index",
  title: "Check a repository's index",
  summary: "Show whether a repository is indexed, how fresh the index is, and which filters each language answers.",
  guidance: "If exists is false, call build_index.",
  keywords: "index state languages filters skipped files freshness size",
  effect: "read",
  callers: ["agent"],
  input: z.object({ repoPath: RepoPath }),
  output: z.object({
    repo: z.string().describe("The repository's top folder."),
    repoId: z.string(),
    cacheRoot: z.string().describe("The folder that holds the index."),
    exists: z.boolean(),
    git: z.object({ head: z.string().nullable(), branch: z.string().nullable(), isDirty: z.boolean() }),
    index: IndexFacts.nullable(),
    bytes: z.number().int().describe("Size on disk."),
    segments: z.number().int(),
    worktrees: z.array(z.string()).describe("Work trees that share the index."),
    modes: z.object({ code: Mode, prose: Mode, "extracted-prose": Mode }),
    sqlite: z
      .object({ path: z.string(), bytes: z.number(), builtAt: z.string() })
      .nullable()
      .describe("The SQLite copy, if there is one."),
    dictionaries: z.array(z.string()),
    model: z.object({ available: z.boolean(), name: z.string().nullable(), hint: z.string().nullable() }),
    languages: z.array(
      z.object({
        language: z.string(),
        files: z.number().int(),
        filters: z.array(z.string()).describe("Filters that its parser answers."),
      }),
    ),
    skipped: z.array(Skipped).describe(`Files left out, with the reason; at most ${mostSkipped}.`),
    skippedTotal: z.number().int(),
  }),
  refusals: ["INVALID_REQUEST", "FORBIDDEN", "GIT_ERROR"],
  examples: [
    { title: "before a build", input: { repoPath: "$checkout" } },
    { title: "after a build", input: { repoPath: "$indexed" } },
  ],
  async observe({ repoPath }, look) {
    const repository = await locateRepository(look, repoPath);
    const { codeindex, artifact } = look.ports;
    const status = await codeindex.readStatus(repository, look.signal);
    const copy = await artifact.findCopy(status.folder);
    const { capabilities } = await artifact.readConfiguration(look.signal);
    return { root: repository.root, status, copy, capabilities, model: await codeindex.findModel() };
  },
  async handle(_input, _work, { root, status, copy, capabilities, model }) {
    const { built } = status;
    const modes = codeModes.map((mode) => {
      const { files = 0, chunks = 0, bytes = 0 } = built?.modes[mode] ?? {};
      return [
        mode,
        { exists: built !== undefined, mtime: built?.state.builtAt ?? null, bytes, files, chunks },
      ] as const;
    });
    return {
      repo: root,
      repoId: status.id,
      cacheRoot: status.folder,
      exists: built !== undefined,
      git: { ...status.git },
      index: built?.state ?? null,
      bytes: built?.bytes ?? 0,
      segments: built?.segments ?? 0,
      worktrees: [...(built?.worktrees ?? [])],
      modes: Object.fromEntries(modes) as Record<(typeof codeModes)[number], z.input<typeof Mode>>,
      sqlite: copy ?? null,
      dictionaries: [...capabilities.dictionaries],
      model: {
        available: model?.canRun === true,
        name: model?.name ?? null,
        hint: modelHint(model),
      },
      languages: status.languages.map((one) => ({ ...one, filters: [...one.filters] })),
      skipped: built?.skipped.slice(0, mostSkipped) ?? [],
      skippedTotal: built?.skipped.length ?? 0,
    };
  },
});

function modelHint(model: FoundModel | undefined): string | null {
  if (!model) return "Search ranks by words. Get a model with download_models.";
  return model.canRun ? null : "Nothing runs the model. Install the package onnxruntime-web beside Crewdeck.";
}
