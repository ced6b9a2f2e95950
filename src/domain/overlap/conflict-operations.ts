import type { DeveloperId } from "../../contract/ids.ts";
import { type FileMark, type FileSource, snapshotCountsMs, unnamedRepo } from "../agent/file-mark-model.ts";
import { listFileMarks } from "../agent/file-mark-queries.ts";
import { findSession } from "../agent/session-queries.ts";
import { listFilesIn } from "../claim/operations.ts";
import { listLiveClaims } from "../claim/queries.ts";
import type { Aim } from "../intent/model.ts";
import type { Work } from "../work.ts";
import { readDocs } from "./doc-queries.ts";
import { areOpposedActions } from "./engine/suppression.ts";
import { hasEnded, type WorkDoc } from "./work-doc.ts";

/** Files that somebody else has in hand or means to change. They inform and never keep anyone from their work. */
export interface FileConflict {
  readonly source: FileSource | "claim";
  /** The task that targets them, the session that has changed them, or the claim they lie in. */
  readonly subjectId: string;
  readonly developerId: DeveloperId;
  readonly files: readonly string[];
  readonly action: string | null;
  /** One takes away, or only looks at, what the other works on. */
  readonly isActionDivergent: boolean;
}

const mostMarks = 500;
const mostClaims = 1_000;
const mostConflicts = 20;

/** Who else is at the files that this work means to change. */
export async function listFileConflicts(work: Work, aim: Aim, ownId: string | null): Promise<FileConflict[]> {
  if (aim.files.length === 0) return [];
  // Who names no repository may well mean the same one.
  const repos = aim.repo === null ? undefined : [aim.repo, unnamedRepo];
  const marks = await listFileMarks(work.db, { repos, paths: aim.files, limit: mostMarks });
  const targets = await readOpenTargets(work, marks);
  const conflicts: FileConflict[] = [];
  for (const group of groupMarks(marks)) {
    if (group.subjectId === ownId || group.subjectId === aim.sessionId) continue;
    if (group.source === "target") {
      const doc = targets.get(group.subjectId);
      if (doc) conflicts.push({ ...group, developerId: doc.developerId, ...actionOf(doc, aim) });
    } else if (await isFresh(work, group)) conflicts.push({ ...group, ...noAction });
  }
  return [...conflicts, ...(await listClaimed(work, aim))].slice(0, mostConflicts);
}

const noAction = { action: null, isActionDivergent: false };

const actionOf = ({ action }: WorkDoc, aim: Aim): Pick<FileConflict, "action" | "isActionDivergent"> => ({
  action,
  isActionDivergent: areOpposedActions(aim.action, action),
});

/** Live claims of others that these files lie in. */
async function listClaimed(work: Work, { repo, files, sessionId }: Aim): Promise<FileConflict[]> {
  if (repo === null) return [];
  const { developerId } = work.caller;
  const claims = await listLiveClaims(work.db, { liveAt: work.now, repo, limit: mostClaims });
  return claims
    .filter((claim) => claim.developerId !== developerId || claim.sessionId !== sessionId)
    .map((claim) => ({
      source: "claim" as const,
      subjectId: claim.id,
      developerId: claim.developerId,
      files: listFilesIn(claim, files),
      ...noAction,
    }))
    .filter((conflict) => conflict.files.length > 0);
}

async function readOpenTargets(work: Work, marks: readonly FileMark[]): Promise<ReadonlyMap<string, WorkDoc>> {
  const ids = marks.filter(({ source }) => source === "target").map(({ subjectId }) => subjectId);
  const docs = await readDocs(work.db, [...new Set(ids)]);
  return new Map(docs.filter((doc) => !hasEnded(doc.lifecycle)).map((doc) => [doc.id, doc]));
}

async function isFresh(work: Work, group: Group): Promise<boolean> {
  if (group.at < work.now - snapshotCountsMs) return false;
  const session = await findSession(work.db, group.subjectId);
  return session !== undefined && session.endedAt === null;
}

type Group = Omit<FileConflict, "action" | "isActionDivergent"> & { readonly at: number };

/** The marks of one subject and source together, its files in order. */
function groupMarks(marks: readonly FileMark[]): Group[] {
  const groups = new Map<string, Group & { files: string[] }>();
  for (const { subjectId, source, path, developerId, createdAt } of marks) {
    const key = `${source} ${subjectId}`;
    const group = groups.get(key);
    if (group) group.files.push(path);
    else groups.set(key, { source, subjectId, developerId, files: [path], at: createdAt });
  }
  return [...groups.values()].map((group) => ({ ...group, files: group.files.sort() }));
}
