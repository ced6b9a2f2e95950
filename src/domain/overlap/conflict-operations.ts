import type { Aim, Intent } from "../intent/model.ts";
import { type Evidence, listOthersAt, type Presence } from "../intent/presence-operations.ts";
import type { Work } from "../work.ts";
import { areOpposedActions } from "./engine/suppression.ts";

/** Files that somebody else has in hand or means to change. They inform and never keep anyone from their work. */
export interface FileConflict extends Pick<Presence, "developerId" | "files"> {
  readonly source: Evidence;
  /** The task that targets them, the session that has changed them, or the claim they lie in. */
  readonly subjectId: string;
  readonly action: Intent["action"];
  /** One takes away, or only looks at, what the other works on. */
  readonly isActionDivergent: boolean;
}

const mostConflicts = 20;

/** Who else is at the files that this work means to change. Other work of one's own counts: it is work too. */
export async function listFileConflicts(work: Work, aim: Aim, ownId: string | null): Promise<FileConflict[]> {
  if (aim.files.length === 0) return [];
  const { claims, presences } = await listOthersAt(work, {
    at: { repo: aim.repo, files: aim.files },
    evidence: ["target", "dirty", "unpushed", "claim"],
    sessionId: aim.sessionId,
    ownTasks: { id: ownId },
    most: mostConflicts,
  });
  const atWork = presences.map((presence) => ({
    ...presence,
    isActionDivergent: areOpposedActions(aim.action, presence.action),
  }));
  const held = claims.map(({ held, paths }) => ({
    source: "claim" as const,
    subjectId: held.id,
    developerId: held.developerId,
    files: paths,
    action: null,
    isActionDivergent: false,
  }));
  return [...atWork, ...held].slice(0, mostConflicts);
}
