import { z } from "zod";
import type { CodeHit } from "../../../domain/codeindex/model.ts";

export const mostSkipped = 500;

export const Skipped = z.object({ file: z.string(), reason: z.string() });

export const IndexFacts = z.object({
  builtAt: z.string().describe("When it was built last."),
  head: z.string().nullable().describe("The commit that is checked out."),
  isFresh: z.boolean().describe("Whether everything saved before the call is in the answer."),
});

/** A place in a file, or a record. Fields beyond the first ones depend on what was asked for. */
export const Hit = z.object({
  id: z.string(),
  file: z.string().describe("Relative to the repository."),
  startLine: z.number().int(),
  endLine: z.number().int(),
  start: z.number().int().describe("First byte."),
  end: z.number().int().describe("Byte after the last."),
  ext: z.string(),
  lang: z.string(),
  kind: z.string(),
  name: z.string(),
  headline: z.string().describe("The first line that matches."),
  line: z.number().int().describe("Its line number."),
  score: z.number(),
  context: z.object({ before: z.array(z.string()), after: z.array(z.string()) }).optional(),
  text: z.string().optional(),
  signature: z.string().optional(),
  doc: z.string().optional(),
  meta: z.record(z.string(), z.unknown()).optional(),
  worktree: z.string().optional(),
  branch: z.string().nullable().optional(),
  alsoIn: z.array(z.string()).optional().describe("Other worktrees with the same file."),
});

export const RecordHit = z.object({
  id: z.string(),
  kind: z.string().describe("task, decision, blocker, message, receipt, feedback, finding and so on."),
  name: z.string(),
  headline: z.string(),
  score: z.number(),
  meta: z.record(z.string(), z.unknown()),
});

export const Bundle = z.object({
  file: z.string(),
  score: z.number(),
  hits: z.array(z.string()).describe("Ids of its hits, best first."),
});

/** The lists of places in files, in the order in which they are told. */
interface FileLists {
  readonly code?: readonly FileHit[];
  readonly prose?: readonly FileHit[];
  readonly extractedProse?: readonly FileHit[];
}
type FileHit = z.input<typeof Hit>;

/** Hits by file, the best file first. */
export function bundleHits({ code = [], prose = [], extractedProse = [] }: FileLists): z.input<typeof Bundle>[] {
  const bundles = new Map<string, FileHit[]>();
  for (const hit of [...code, ...prose, ...extractedProse]) {
    const file = hit.worktree === undefined ? hit.file : `${hit.worktree}\0${hit.file}`;
    bundles.set(file, [...(bundles.get(file) ?? []), hit]);
  }
  const best = (some: readonly FileHit[]): number => Math.max(...some.map(({ score }) => score));
  return [...bundles.values()]
    .sort((one, other) => best(other) - best(one))
    .map((some) => ({
      file: some[0]?.file ?? "",
      score: best(some),
      hits: [...some].sort((one, other) => other.score - one.score).map(({ id }) => id),
    }));
}

/** The same list as it goes over a wire. */
export const hitRecords = (hits: readonly CodeHit[]): z.input<typeof Hit>[] =>
  hits.map(({ context, alsoIn, meta, ...hit }) => ({
    ...hit,
    ...(context && { context: { before: [...context.before], after: [...context.after] } }),
    ...(meta && { meta: { ...meta } }),
    ...(alsoIn && { alsoIn: [...alsoIn] }),
  }));
