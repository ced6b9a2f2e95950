import { z } from "zod";
import type { Cleaned, SeenIndex } from "../../../domain/artifact/clean-operations.ts";
import { Time, timeOf } from "../../time.ts";

export const IndexEntry = z.object({
  id: z.string(),
  repo: z.string().nullable().describe("Its repository; null for an unregistered one of somebody else."),
  bytes: z.number(),
  builtAt: Time,
  isOwn: z.boolean().describe("It belongs to the repository you named."),
  isGone: z.boolean().describe("Its repository no longer exists."),
});

export const indexEntry = ({ id, repo, bytes, builtAt, isOwn, isGone }: SeenIndex): z.input<typeof IndexEntry> => ({
  id,
  repo,
  bytes,
  builtAt: timeOf(builtAt),
  isOwn,
  isGone,
});

const Removal = z.object({
  id: z.string(),
  repo: z.string().nullable(),
  bytes: z.number(),
  reason: z.string(),
  copies: z.array(z.string()).describe("SQLite copies in other places that go with it."),
});

export const CleanAnswer = z.object({
  repoPath: z.string(),
  dryRun: z.boolean(),
  totals: z.object({ indexes: z.number(), bytes: z.number() }).describe("Before anything was removed."),
  removals: z.array(Removal).describe("What was removed, or with dryRun what would be."),
  failedRemovals: z.array(Removal),
  freedBytes: z.number(),
  kept: z.array(IndexEntry).describe("Indexes that stay, those of other repositories among them."),
});

export function cleanAnswer(root: string, dryRun: boolean, cleaned: Cleaned): z.input<typeof CleanAnswer> {
  const { indexes, removals, failed } = cleaned;
  const gone = new Set(removals.map(({ id }) => id));
  return {
    repoPath: root,
    dryRun,
    totals: { indexes: indexes.length, bytes: sum(indexes) },
    removals: removals.map(removalEntry),
    failedRemovals: failed.map(removalEntry),
    freedBytes: dryRun ? 0 : sum(removals),
    kept: indexes.filter(({ id }) => !gone.has(id)).map(indexEntry),
  };
}

const removalEntry = (removal: Cleaned["removals"][number]): z.input<typeof Removal> => ({
  ...removal,
  copies: [...removal.copies],
});

const sum = (all: readonly { readonly bytes: number }[]): number => all.reduce((bytes, one) => bytes + one.bytes, 0);
