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
    parts: z
      .object({ segments: z.number(), vectors: z.number(), copy: z.number(), other: z.number() })
      .nullable()
      .describe("What takes the room of this repository's index."),
    copies: z
      .array(z.object({ path: z.string(), bytes: z.number(), builtAt: z.string().nullable() }))
      .describe("SQLite copies of it in other places; clean_artifacts removes them with it."),
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
    const { folder, fingerprint } = await look.ports.codeindex.readStatus(repository, look.signal);
    const { artifact } = look.ports;
    const copy = await artifact.findCopy(folder);
    const copies = await artifact.listCopies(folder);
    return { root: repository.root, fingerprint, indexes, copy, copies, measured: await artifact.measure() };
  },
  async handle(_input, _work, { root, fingerprint, indexes, copy, copies, measured }) {
    const elsewhere = copies.filter(({ isElsewhere }) => isElsewhere);
    const unreadable = copies.filter(({ content }) => content === null).length;
    const stale = copies.filter(({ content }) => content !== null && content !== fingerprint).length;
    const own = indexes.find(({ isOwn }) => isOwn);
    const gone = indexes.filter(({ isGone }) => isGone).length;
    const issues = [
      ...(own ? [] : ["This repository has no index."]),
      ...(gone === 0 ? [] : [`${gone} indexes belong to repositories that no longer exist.`]),
      ...(unreadable === 0 ? [] : ["The SQLite copy can't be read."]),
      ...(stale === 0 ? [] : ["A SQLite copy is older than the files it was made of."]),
    ];
    const hints = [
      ...(own ? [] : ["Build it with build_index."]),
      ...(gone === 0 ? [] : ["Remove them with cache_gc and maxAgeDays or maxBytes."]),
      ...(unreadable + stale === 0 ? [] : ["Write it again with build_sqlite_index."]),
    ];
    const bytesOf = (all: readonly { readonly bytes: number }[]): number =>
      all.reduce((sum, { bytes }) => sum + bytes, 0);
    return {
      repoPath: root,
      repo: own ? indexEntry(own) : null,
      sqlite: copy ?? null,
      parts: own ? { ...own.parts } : null,
      copies: elsewhere.map(({ path, bytes, builtAt }) => ({ path, bytes, builtAt })),
      artifacts: measured.map((one) => ({ ...one })),
      indexes: indexes.map(indexEntry),
      health: { issues, hints },
      overall: {
        indexes: bytesOf(indexes),
        artifacts: bytesOf(measured),
        bytes: bytesOf(indexes) + bytesOf(measured) + bytesOf(elsewhere),
      },
    };
  },
});
