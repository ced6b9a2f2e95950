import { type AgentId, type DeveloperId, isIdOf, type TaskId } from "../../contract/ids.ts";
import { type FileMark, type FileSource, reportStandsMs, unnamedRepo } from "../agent/file-mark-model.ts";
import { listFileMarks, listRepoMarks } from "../agent/file-mark-queries.ts";
import { listAgentsById } from "../agent/queries.ts";
import { listSessionsById } from "../agent/session-queries.ts";
import type { Meeting } from "../claim/model.ts";
import { findConflicts, findHolders, listFilesIn } from "../claim/operations.ts";
import { hasEnded } from "../lifecycle.ts";
import { listTasksById } from "../task/queries.ts";
import type { Work } from "../work.ts";
import type { Intent } from "./model.ts";
import { listIntents } from "./queries.ts";

/**
 * Who else is at some files. A claim stands until it is over, a file that a session reported for a day and no longer
 * than the session, a file that a task means to change until the task has ended (CC22).
 */
export type Evidence = FileSource | "claim";

interface PresenceAsk {
  readonly at: TheseFiles | FilesLike;
  readonly evidence: readonly Evidence[];
  /** Who asks: what their session claims and reports is not somebody else's. */
  readonly sessionId: AgentId | null;
  /** Which of the asker's tasks are not somebody else's: all, those of the session, or one that the question is about. */
  readonly ownTasks: "all" | "of-session" | { readonly id: string | null };
  readonly most: number;
}

/** Files by their very names, on whichever branch. Who names no repository may mean any. */
interface TheseFiles {
  readonly repo: string | null;
  readonly files: readonly string[];
}

/** Files by patterns; claims on other branches do not concern them, and null stands for every branch. */
interface FilesLike {
  readonly repo: string;
  readonly branch: string | null;
  readonly patterns: readonly string[];
}

/** A task or a session that is at some of the files. */
export interface Presence {
  readonly source: FileSource;
  readonly subjectId: string;
  /** Whoever has the task in hand, or made it; whose session it is. */
  readonly developerId: DeveloperId;
  readonly files: readonly string[];
  readonly since: number;
  /** What the task does to them, if it says so. */
  readonly action: Intent["action"];
}

interface Others {
  readonly claims: readonly Meeting[];
  /** The latest first. */
  readonly presences: readonly Presence[];
  /** There may be more of them. */
  readonly isCut: boolean;
}

export async function listOthersAt(work: Work, ask: PresenceAsk): Promise<Others> {
  const claims = ask.evidence.includes("claim") ? await listClaims(work, ask) : [];
  const { marks, isCut } = await listMarks(work, ask);
  const groups = groupMarks(marks);
  const presences: Presence[] = [];
  for (let at = 0; at < groups.length && presences.length <= ask.most; at += groupsAtOnce) {
    presences.push(...(await findStanding(work, ask, groups.slice(at, at + groupsAtOnce))));
  }
  return { claims, presences: presences.slice(0, ask.most), isCut: isCut || presences.length > ask.most };
}

/** Subjects that are looked up together. */
const groupsAtOnce = 100;

async function listClaims(work: Work, { at, sessionId }: PresenceAsk): Promise<readonly Meeting[]> {
  if ("patterns" in at) {
    const { repo, branch, patterns } = at;
    return findConflicts(work, { area: { repo, branch, paths: [...patterns], symbols: [] }, sessionId });
  }
  // A claim is in one repository by name: who names none holds nothing up.
  return at.repo === null ? [] : findHolders(work, { repo: at.repo, files: at.files, sessionId });
}

const mostOfFiles = 2_000;
const mostOfRepo = 5_000;

/** Who names no repository may well mean the one that is asked about. */
async function listMarks({ db }: Work, { at, evidence }: PresenceAsk): Promise<{ marks: FileMark[]; isCut: boolean }> {
  const sources = evidence.filter((one) => one !== "claim");
  if (sources.length === 0) return { marks: [], isCut: false };
  if ("files" in at) {
    const repos = at.repo === null ? undefined : [at.repo, unnamedRepo];
    const paths = [...new Set(at.files)];
    return { marks: await listFileMarks(db, { repos, paths, sources, limit: mostOfFiles }), isCut: false };
  }
  const named = await listRepoMarks(db, { repo: at.repo, sources, limit: mostOfRepo });
  const unnamed = await listRepoMarks(db, { repo: unnamedRepo, sources, limit: mostOfRepo });
  const all = [...named, ...unnamed].sort((one, other) => other.createdAt - one.createdAt);
  const wanted = new Set(listFilesIn({ paths: at.patterns }, [...new Set(all.map(({ path }) => path))]));
  const isCut = Math.max(named.length, unnamed.length) === mostOfRepo;
  return { marks: all.filter(({ path }) => wanted.has(path)), isCut };
}

type Group = Omit<Presence, "action" | "files"> & { readonly files: string[] };

/** The marks of one subject and source together, its files in order. */
function groupMarks(marks: readonly FileMark[]): Group[] {
  const groups = new Map<string, Group>();
  for (const { subjectId, source, path, developerId, createdAt } of marks) {
    const key = `${source} ${subjectId}`;
    const group = groups.get(key);
    if (group) group.files.push(path);
    else groups.set(key, { source, subjectId, developerId, files: [path], since: createdAt });
  }
  return [...groups.values()].map((group) => ({ ...group, files: [...new Set(group.files)].sort() }));
}

/** Those that still stand and are somebody else's. */
async function findStanding(work: Work, ask: PresenceAsk, groups: readonly Group[]): Promise<Presence[]> {
  const [targets, reports] = [groups.filter(isTarget), groups.filter((group) => !isTarget(group))];
  const standing = new Map([...(await findTargets(work, ask, targets)), ...(await findReports(work, ask, reports))]);
  return groups.flatMap((group) => standing.get(group) ?? []);
}

const isTarget = ({ source }: Group): boolean => source === "target";

async function findTargets(work: Work, ask: PresenceAsk, groups: readonly Group[]): Promise<[Group, Presence][]> {
  const ids = groups.map(({ subjectId }) => subjectId);
  const tasks = await listTasksById(work.db, ids.filter(isIdOf("task")));
  const intents = await listIntents(work.db, ids);
  const holders = await listAgentsById(
    work.db,
    [...tasks.values()].flatMap(({ takenBy }) => takenBy ?? []),
  );
  return groups.flatMap((group): [Group, Presence][] => {
    const task = tasks.get(group.subjectId);
    if (task === undefined || hasEnded(task.status)) return [];
    const holder = task.takenBy === null ? undefined : holders.get(task.takenBy);
    const developerId = holder?.developerId ?? task.developerId;
    const intent = intents.get(task.id);
    const sessionId = task.takenBy ?? intent?.sessionId ?? null;
    if (isOwnTask(work, ask, { id: task.id, developerId, sessionId })) return [];
    return [[group, { ...group, developerId, action: intent?.action ?? null }]];
  });
}

function isOwnTask(
  { caller }: Work,
  { ownTasks, sessionId }: PresenceAsk,
  task: { id: TaskId; developerId: DeveloperId; sessionId: AgentId | null },
): boolean {
  if (typeof ownTasks === "object") return ownTasks.id === task.id;
  return task.developerId === caller.developerId && (ownTasks === "all" || task.sessionId === sessionId);
}

async function findReports(work: Work, ask: PresenceAsk, groups: readonly Group[]): Promise<[Group, Presence][]> {
  const recent = groups.filter(({ since }) => since >= work.now - reportStandsMs);
  const sessions = await listSessionsById(work.db, recent.map(({ subjectId }) => subjectId).filter(isIdOf("agent")));
  return recent
    .filter(({ subjectId }) => subjectId !== ask.sessionId && sessions.get(subjectId)?.endedAt === null)
    .map((group) => [group, { ...group, action: null }]);
}
