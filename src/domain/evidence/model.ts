import { z } from "zod";
import { PhaseId, TaskId } from "../../contract/ids.ts";
import { callerTypes, receiptLevels } from "../../contract/words.ts";
import { Checks } from "./check-model.ts";

/** Which tree lay in a folder: its commit, and a digest of all that differed from it. */
const TreeIdentity = z.object({ head: z.string().nullable(), digest: z.string() });

/** How a folder was when a task began. */
export const Snapshot = z.object({
  type: z.enum(["git", "checksum", "none"]),
  /** The commit, or a digest of all checksums. */
  id: z.string(),
  root: z.string(),
  head: z.string().nullable(),
  /** What differed from the commit already, by content; null for what was deleted. Without git: every file. */
  files: z.record(z.string(), z.string().nullable()),
  /** Why there is none. */
  problem: z.string().optional(),
  stamps: z.record(z.string(), z.string()).optional(),
  /** The commits before `head`, nearest first. */
  ancestors: z.array(z.string()).optional(),
  /** The branch that was checked out, and where every branch stood. */
  branch: z.string().nullable().optional(),
  refs: z.record(z.string(), z.string()).optional(),
});
export type Snapshot = z.infer<typeof Snapshot>;

/** What changed between a snapshot and now. */
export const Changes = z.object({
  added: z.array(z.string()),
  modified: z.array(z.string()),
  deleted: z.array(z.string()),
  warnings: z.array(z.string()),
  /** Nothing is missing from it. */
  isComplete: z.boolean(),
  start: TreeIdentity,
  end: TreeIdentity,
  /** The content of every changed file, null for what is gone. */
  hashes: z.record(z.string(), z.string().nullable()),
  /** What changed files held before the task touched them, where others had changed them since the start. */
  before: z.record(z.string(), z.string().nullable()).optional(),
});
export type Changes = z.infer<typeof Changes>;

/** What a finished task can show for itself. */
export const Receipt = z.object({
  changes: Changes,
  scopeMatch: z.boolean(),
  unexpectedFiles: z.array(z.string()),
  status: z.enum(["success", "partial_success", "failed"]),
  outcome: z.record(z.string(), z.unknown()),
  /** As the agent said it, the state of the tests included. */
  metadata: z.record(z.string(), z.unknown()),
  checks: Checks,
  level: z.enum(receiptLevels),
  at: z.number(),
});
export type Receipt = z.infer<typeof Receipt>;

export const Evidence = z.object({
  taskId: TaskId,
  phaseId: PhaseId.nullable(),
  parentId: TaskId.nullable(),
  areas: z.array(z.string()),
  callerType: z.enum(callerTypes).nullable(),
  agentName: z.string().nullable(),
  snapshot: Snapshot,
  receipt: Receipt.nullable(),
  version: z.number(),
});
export type Evidence = z.infer<typeof Evidence>;

/** The same without the snapshot, which may be large and which only a comparison needs. */
export type TaskEvidence = Omit<Evidence, "snapshot">;
