import { z } from "zod";
import { listSeenIndexes } from "../../domain/artifact/clean-operations.ts";
import { locateRepository } from "../../domain/project/locate-operations.ts";
import { defineTool } from "../define.ts";
import { RepoPath } from "./references.ts";
import { IndexEntry, indexEntry } from "./voice/indexes.ts";

const Sized = z.object({ kind: z.string(), name: z.string(), path: z.string(), bytes: z.number() });

export default defineTool({
  name: "report_artifacts",
  family: "index",
  title: "Report index sizes",
  summary:
    "Show how much disk space indexes, SQLite copies, models and other artifacts take, and what needs attention.",
  keywords: "size disk space storage usage artifacts report index health",
  effect: "read",
  callers: ["agent"],
  input: z.object({ repoPath: RepoPath }),
  output: z.object({
    repoPath: z.string(),
    repo: IndexEntry.nullable().describe("This repository's index."),
    sqlite: z.object({ path: z.string(), bytes: z.number(), builtAt: z.string() }).nullable(),
    artifacts: z.array(Sized).describe("Models, dictionaries, extensions and triage packs."),
    indexes: z.array(IndexEntry).describe("All indexes on this server."),
    health: z.object({ issues: z.array(z.string()), hints: z.array(z.string()) }),
    overall: z.object({ indexes: z.number(), artifacts: z.number(), bytes: z.number() }),
  }),
  refusals: ["INVALID_REQUEST", "FORBIDDEN"],
  examples: [{ title: "after a build", input: { repoPath: "$indexed" } }],
  async observe({ repoPath }, look) {
    const repository = await locateRepository(look, repoPath);
    const indexes = await listSeenIndexes(look, repository);
    const { folder } = await look.ports.codeindex.readStatus(repository, look.signal);
    const copy = await look.ports.artifact.findCopy(folder);
    return { root: repository.root, indexes, copy, measured: await look.ports.artifact.measure() };
  },
  async handle(_input, _work, { root, indexes, copy, measured }) {
    const own = indexes.find(({ isOwn }) => isOwn);
    const gone = indexes.filter(({ isGone }) => isGone).length;
    const issues = [
      ...(own ? [] : ["This repository has no index."]),
      ...(gone === 0 ? [] : [`${gone} indexes belong to repositories that no longer exist.`]),
    ];
    const hints = [
      ...(own ? [] : ["Build it with build_index."]),
      ...(gone === 0 ? [] : ["Remove them with cache_gc and maxAgeDays or maxBytes."]),
    ];
    const bytesOf = (all: readonly { readonly bytes: number }[]): number =>
      all.reduce((sum, { bytes }) => sum + bytes, 0);
    return {
      repoPath: root,
      repo: own ? indexEntry(own) : null,
      sqlite: copy ?? null,
      artifacts: measured.map((one) => ({ ...one })),
      indexes: indexes.map(indexEntry),
      health: { issues, hints },
      overall: {
        indexes: bytesOf(indexes),
        artifacts: bytesOf(measured),
        bytes: bytesOf(indexes) + bytesOf(measured),
      },
    };
  },
});
