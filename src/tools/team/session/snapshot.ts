import { z } from "zod";
import type { AgentId } from "../../../contract/ids.ts";
import { type FileOverlap, reportWorkingCopy } from "../../../domain/intent/working-copy-operations.ts";
import type { Sight } from "../../../domain/person/viewer-model.ts";
import { readViewer } from "../../../domain/person/viewer-queries.ts";
import type { Work } from "../../../domain/work.ts";
import { defineTool } from "../../define.ts";
import { timeOf } from "../../time.ts";
import { TeamAnswer, type TeamTold, tell, warn } from "../voice/answer.ts";
import { Branch, Repo, RepoPath, SessionId, Worktree } from "../voice/words.ts";

const mostFiles = 2_000;
const mostFilesShown = 50;
const Paths = z.array(RepoPath).max(mostFiles);
const Sha = z.string().regex(/^[0-9a-fA-F]{1,64}$/);
/** A digest in any of the usual spellings; too narrow to carry a line of code. */
const Hash = z.string().regex(/^[A-Za-z0-9:+/=_-]{1,128}$/);

export default defineTool({
  name: "snapshot",
  family: "team",
  title: "Report the working copy",
  summary: "Say which files you have changed and not pushed, and learn who else touches them.",
  keywords: "dirty uncommitted unpushed changed files working tree report",
  effect: "change",
  isRepeatable: true,
  callers: ["agent"],
  input: z.object({
    session_id: SessionId,
    repo: Repo.optional(),
    branch: Branch.optional(),
    worktree: Worktree.optional(),
    head: Sha.optional().describe("The commit that is checked out."),
    dirty_files: Paths.optional().describe("Changed and not committed; at most 2,000."),
    unpushed_files: Paths.optional().describe("Committed and not pushed; at most 2,000."),
    diff_hashes: z
      .record(RepoPath, Hash)
      .refine((hashes) => Object.keys(hashes).length <= mostFiles, `at most ${mostFiles} files`)
      .optional()
      .describe("A digest of each file's changes, never the changes."),
    recent_commits: z
      .array(
        z.strictObject({
          sha: Sha.describe("Its hash."),
          subject: z.string().max(300).describe("Its first line."),
          at: z.string().max(50).describe("When, ISO 8601."),
        }),
      )
      .max(50)
      .optional()
      .describe("The newest commits."),
  }),
  output: TeamAnswer,
  refusals: ["SESSION_NOT_FOUND", "FORBIDDEN", "INVALID_STATE", "INVALID_INPUT", "TOO_LARGE"],
  examples: [
    {
      title: "two changed files",
      input: { session_id: "$session", repo: "acme/shop", branch: "main", dirty_files: ["src/a.ts", "src/b.ts"] },
    },
  ],
  async handle(input, work) {
    const { session, overlaps } = await reportWorkingCopy(work, input.session_id, {
      repo: input.repo ?? null,
      branch: input.branch ?? null,
      worktree: input.worktree ?? null,
      head: input.head ?? null,
      dirtyFiles: input.dirty_files ?? [],
      unpushedFiles: input.unpushed_files ?? [],
      diffHashes: input.diff_hashes ?? {},
      recentCommits: input.recent_commits ?? [],
    });
    const data = {
      session_id: session.id,
      repo: session.repo,
      branch: session.branch,
      dirty_files: input.dirty_files?.length ?? 0,
      unpushed_files: input.unpushed_files?.length ?? 0,
      snapshot_at: timeOf(work.now),
      overlap_warnings: await overlapLines(work, overlaps),
    };
    if (overlaps.length === 0) return tell({ message: "The snapshot is kept; nobody else touches these files.", data });
    return warnOfOverlap(session.id, data);
  },
});

const warnOfOverlap = (sessionId: AgentId, data: Record<string, unknown>): TeamTold =>
  warn(sessionId, {
    message: "The snapshot is kept. Others touch some of these files, or mean to.",
    data,
    next: "Before you go on with these files call covibe_coordination with operation ask, to each owner that overlap_warnings names; for @private use operation announce.",
  });

async function overlapLines(work: Work, overlaps: readonly FileOverlap[]): Promise<Record<string, unknown>[]> {
  if (overlaps.length === 0) return [];
  const viewer = await readViewer(work);
  return overlaps.map((overlap) => overlapLine(overlap, viewer.of(overlap)));
}

/** The files are the caller's own too, so they may be named; whose they are besides may have to stay hidden (SN14). */
const overlapLine = ({ kind, subjectId, sources, files }: FileOverlap, sight: Sight): Record<string, unknown> => ({
  source: kind,
  session_id: kind === "session" ? sight.value(subjectId) : null,
  task_id: kind === "task" ? sight.value(subjectId) : null,
  owner: sight.owner,
  same_developer: sight.isOwn,
  states: sources,
  files: files.slice(0, mostFilesShown),
  file_count: files.length,
});
