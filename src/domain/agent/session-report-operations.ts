import { checkFits } from "../../contract/free-form.ts";
import type { AgentId } from "../../contract/ids.ts";
import { Refusal } from "../../contract/refusal.ts";
import { registerLocalRepositories } from "../project/operations.ts";
import type { Work } from "../work.ts";
import { replaceFileMarks } from "./file-mark-store.ts";
import { sessionEvent } from "./session-events.ts";
import type { Session, WorkingCopy } from "./session-model.ts";
import { useNamedSession, useSession } from "./session-operations.ts";
import { saveSession } from "./session-store.ts";

/** Names and hashes of a working copy; more than this is no summary of one. */
const largestWorkingCopy = 512 * 1024;

export interface NewWorkingCopy extends WorkingCopy {
  readonly repo: string | null;
  readonly branch: string | null;
  readonly worktree: string | null;
}

/** Keeps how the session's working copy is now, in the place of what was known, and marks the files it has changed. */
export async function recordWorkingCopy(
  work: Work,
  session: Session,
  ask: NewWorkingCopy,
): Promise<Session & { repo: string }> {
  const { repo: named, branch, worktree, ...workingCopy } = ask;
  checkFits("snapshot", workingCopy, largestWorkingCopy);
  const repo = named ?? session.repo;
  if (repo === null) {
    throw new Refusal("INVALID_INPUT", "The session does not know its repository.", "Call again with repo.");
  }
  const saved = await saveSession(work.db, session, {
    repo,
    branch: branch ?? session.branch,
    worktree: worktree ?? session.worktree,
    workingCopy,
    workingCopyAt: work.now,
  });
  const mark = { subjectId: session.id, repo, developerId: session.developerId, createdAt: work.now };
  await replaceFileMarks(work.db, { ...mark, source: "dirty", paths: workingCopy.dirtyFiles });
  await replaceFileMarks(work.db, { ...mark, source: "unpushed", paths: workingCopy.unpushedFiles });
  work.record(
    sessionEvent.snapshotTaken(session.id, {
      repo,
      branch: saved.branch,
      head: workingCopy.head,
      dirty_files: workingCopy.dirtyFiles.length,
      unpushed_files: workingCopy.unpushedFiles.length,
    }),
  );
  return { ...saved, repo };
}

interface Activity {
  readonly kind: string;
  readonly summary: string;
  readonly files: readonly string[];
  readonly counters: Readonly<Record<string, number>>;
}

/** One short line of what a session did. It lives in the ledger alone. */
export async function logActivity(work: Work, sessionId: AgentId, activity: Activity): Promise<void> {
  const session = await useSession(work, sessionId);
  work.record(sessionEvent.activityLogged(session.id, { ...activity, files: [...activity.files] }));
}

interface MachineBeat {
  readonly sessionId: AgentId | undefined;
  /** Paths of the repositories that the machine watches. */
  readonly repositories: readonly string[];
  readonly companionVersion: string | null;
}

/** A machine is alive, and with it the session it names. */
export async function recordBeat(
  work: Work,
  beat: MachineBeat,
): Promise<{ session: Session | undefined; registeredRepos: number }> {
  const session = await useNamedSession(work, beat.sessionId);
  const registeredRepos = await registerLocalRepositories(work, beat.repositories);
  if (session) {
    const data = { registered_repos: registeredRepos, companion_version: beat.companionVersion };
    work.record(sessionEvent.seen(session.id, data));
  }
  return { session, registeredRepos };
}
