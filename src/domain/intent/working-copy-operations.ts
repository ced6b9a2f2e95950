import type { AgentId } from "../../contract/ids.ts";
import type { FileSource } from "../agent/file-mark-model.ts";
import type { Session } from "../agent/session-model.ts";
import { useSession } from "../agent/session-operations.ts";
import { type NewWorkingCopy, recordWorkingCopy } from "../agent/session-report-operations.ts";
import type { Work } from "../work.ts";
import { listOthersAt, type Presence } from "./presence-operations.ts";

/** Somebody else who has changed files that the session has changed too, or whose task means to. */
export interface FileOverlap extends Pick<Presence, "subjectId" | "developerId" | "files"> {
  readonly kind: "session" | "task";
  readonly sources: readonly FileSource[];
}

const mostOverlaps = 50;

/** Keeps how a session's working copy is, and tells who else is at the files it has changed. */
export async function reportWorkingCopy(
  work: Work,
  sessionId: AgentId,
  workingCopy: NewWorkingCopy,
): Promise<{ session: Session & { repo: string }; overlaps: FileOverlap[] }> {
  const session = await recordWorkingCopy(work, await useSession(work, sessionId), workingCopy);
  const { presences } = await listOthersAt(work, {
    at: { repo: session.repo, files: [...workingCopy.dirtyFiles, ...workingCopy.unpushedFiles] },
    evidence: ["target", "dirty", "unpushed"],
    sessionId: session.id,
    ownTasks: "all",
    most: 2 * mostOverlaps,
  });
  return { session, overlaps: joinBySubject(presences).slice(0, mostOverlaps) };
}

/** What a session has changed and what it has not pushed is told of at once. */
function joinBySubject(presences: readonly Presence[]): FileOverlap[] {
  const subjects = new Map<string, Presence[]>();
  for (const presence of presences) {
    subjects.set(presence.subjectId, [...(subjects.get(presence.subjectId) ?? []), presence]);
  }
  return [...subjects.values()].flatMap((own) => {
    const [first] = own;
    if (first === undefined) return [];
    const sources = own.map(({ source }) => source).sort();
    const files = [...new Set(own.flatMap((presence) => presence.files))].sort();
    const { subjectId, developerId } = first;
    return [{ subjectId, developerId, kind: sources.includes("target") ? "task" : "session", sources, files }];
  });
}
