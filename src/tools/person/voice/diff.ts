import { z } from "zod";
import { InstanceId, TaskId } from "../../../contract/ids.ts";
import type { TaskDiff } from "../../../contract/task-diff.ts";
import { receiptLevels } from "../../../contract/words.ts";
import { diffStates, type FileDiff, type Hunk } from "../../../domain/evidence/diff-model.ts";
import type { ReceiptDiff } from "../../../domain/evidence/diff-operations.ts";
import type { InstanceDiff, PullDiff } from "../../../domain/pull/diff-operations.ts";

const count = z.number().int().nonnegative();
const Thing = z.enum(["file", "executable", "link", "submodule"]).nullable();

const LineRecord = z.object({
  kind: z.enum(["same", "deleted", "added"]),
  old: count.nullable().describe("Its number before, from 1."),
  new: count.nullable().describe("Its number after, from 1."),
  text: z.string().describe("Without its line end."),
  end: z.enum(["crlf", "none"]).optional().describe("How it ends, where that is not with a line feed alone."),
  cut: count.optional().describe("Characters left out at its end."),
});

const HunkRecord = z.object({
  old_start: count,
  old_lines: count,
  new_start: count,
  new_lines: count,
  lines: z.array(LineRecord),
});

const FileRecord = z.object({
  path: z.string(),
  change: z.enum(["added", "modified", "deleted"]),
  state: z.enum(diffStates).describe("shown, or why not; gone: a content no longer exists anywhere."),
  missing: z.array(z.enum(["before", "after"])).describe("Which contents are gone."),
  before: Thing.describe("What lay there; null for nothing, or where nobody knows."),
  after: Thing.describe("What lay there when the task ended; null for nothing."),
  unexpected: z.boolean().describe("Outside of the areas that the task announced."),
  stale: z.boolean().describe("Something else now than when the task ended."),
  added_lines: count,
  deleted_lines: count,
  line_ends: z
    .enum(["lf_to_crlf", "crlf_to_lf"])
    .nullable()
    .describe("Set where every line end changed; they are then not compared."),
  lossy: z.boolean().describe("Some bytes are no UTF-8 and are shown as replacement characters."),
  hunks: z.array(HunkRecord),
  left_out_lines: count.describe("Lines of hunks beyond the limits."),
});

export const DiffRecord = z.object({
  task_id: TaskId,
  level: z.enum(receiptLevels),
  kind: z.enum(["git", "checksum", "none"]).describe("How the start is known; only git keeps earlier contents."),
  is_complete: z.boolean().describe("False where the receipt does not know all that changed."),
  is_stale: z.boolean().describe("One of these files is something else now."),
  files: z.array(FileRecord),
  files_count: count.describe("All files of the receipt."),
  files_left: count.describe("Files that come after these: ask again with `after`."),
});

export const diffRecord = ({
  evidence,
  receipt,
  files,
  filesCount,
  filesLeft,
}: ReceiptDiff): z.input<typeof DiffRecord> & TaskDiff => ({
  task_id: evidence.taskId,
  level: receipt.level,
  kind: evidence.snapshot.type,
  is_complete: receipt.changes.isComplete,
  is_stale: files.some(({ isStale }) => isStale),
  files: files.map(fileRecord),
  files_count: filesCount,
  files_left: filesLeft,
});

const BranchDiffRecord = z.object({
  head: z.string().describe("The commit that is compared."),
  files: z.array(FileRecord),
  files_count: count.describe("All files it changes."),
  files_left: count.describe("Files that come after these: ask again with `after`."),
});

export const PullDiffRecord = z.object({ number: z.number().int(), ...BranchDiffRecord.shape });

export const pullDiffRecord = (diff: PullDiff): z.input<typeof PullDiffRecord> => ({
  number: diff.pull.number ?? 0,
  ...branchDiffRecord(diff),
});

export const InstanceDiffRecord = z.object({
  id: InstanceId,
  base_branch: z.string().describe("What its branch is compared with."),
  ...BranchDiffRecord.shape,
});

export const instanceDiffRecord = (diff: InstanceDiff): z.input<typeof InstanceDiffRecord> => ({
  id: diff.id,
  base_branch: diff.base,
  ...branchDiffRecord(diff),
});

const branchDiffRecord = ({
  head,
  files,
  filesCount,
  filesLeft,
}: Omit<PullDiff, "pull">): z.input<typeof BranchDiffRecord> => ({
  head,
  files: files.map(fileRecord),
  files_count: filesCount,
  files_left: filesLeft,
});

const fileRecord = (file: FileDiff): z.input<typeof FileRecord> => ({
  path: file.path,
  change: file.change,
  state: file.state,
  missing: [...file.missing],
  before: file.before,
  after: file.after,
  unexpected: file.isUnexpected,
  stale: file.isStale,
  added_lines: file.addedLines,
  deleted_lines: file.deletedLines,
  line_ends: file.lineEnds,
  lossy: file.isLossy,
  hunks: file.hunks.map(hunkRecord),
  left_out_lines: file.leftOutLines,
});

const hunkRecord = (hunk: Hunk): z.input<typeof HunkRecord> => ({
  old_start: hunk.beforeStart,
  old_lines: hunk.beforeLines,
  new_start: hunk.afterStart,
  new_lines: hunk.afterLines,
  lines: hunk.lines.map(({ before, after, ...line }) => ({ ...line, old: before, new: after })),
});
