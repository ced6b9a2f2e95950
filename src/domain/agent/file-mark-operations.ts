import type { DeveloperId } from "../../contract/ids.ts";
import { fileSources } from "../../contract/words.ts";
import type { SystemWork, Work } from "../work.ts";
import { reportStandsMs, unnamedRepo } from "./file-mark-model.ts";
import { deleteFileMarks, deleteOldReports, passOnFileMarks, replaceFileMarks } from "./file-mark-store.ts";

/** Says which files a piece of the caller's work means to change. */
export async function markTargets(
  work: Work,
  ask: { readonly subjectId: string; readonly repo: string | null; readonly paths: readonly string[] },
): Promise<void> {
  await replaceFileMarks(work.db, {
    subjectId: ask.subjectId,
    source: "target",
    repo: ask.repo ?? unnamedRepo,
    paths: ask.paths,
    developerId: work.caller.developerId,
    createdAt: work.now,
  });
}

/** Forgets every file that a task or a session had marked. */
export async function freeFiles(work: SystemWork, subjectId: string): Promise<void> {
  await deleteFileMarks(work.db, subjectId, fileSources);
}

/** Gives what a piece of work has marked to the developer who took it over. */
export async function passOnFiles(
  work: SystemWork,
  ask: { readonly subjectId: string; readonly to: DeveloperId },
): Promise<void> {
  await passOnFileMarks(work.db, ask.subjectId, ask.to);
}

/** Forgets which files sessions had changed, once that counts no more; what tasks mean to change stays. */
export async function forgetOldReports(work: SystemWork): Promise<void> {
  await deleteOldReports(work.db, work.now - reportStandsMs);
}
