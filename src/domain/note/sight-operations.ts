import type { AgentId, DeveloperId } from "../../contract/ids.ts";
import { findAgent } from "../agent/queries.ts";
import type { Viewer } from "../person/viewer-model.ts";
import { readViewer } from "../person/viewer-queries.ts";
import type { Work } from "../work.ts";
import type { Note } from "./model.ts";

/** What notes are about: whoever owns it, or has it in hand, reads what anybody wrote about it. */
interface About {
  readonly developerId: DeveloperId;
  readonly takenBy?: AgentId | null;
}

type Reader = Pick<Work, "db" | "caller">;

/** Notes as this caller may read them: of somebody private's that they are there, and nothing that was written (ID28). */
export async function concealNotes(work: Reader, notes: readonly Note[], about: About): Promise<Note[]> {
  const viewer = await readViewer(work);
  if (await isTheirs(work, viewer, about)) return [...notes];
  return notes.map((note) => {
    const sight = viewer.of(note);
    const { summary, detail, files } = note;
    return { ...note, summary: sight.title(summary), detail: sight.value(detail), files: sight.list(files) };
  });
}

/** Those whose notes about this the caller may not read. */
export async function listUnreadable(work: Reader, about: About): Promise<DeveloperId[]> {
  const viewer = await readViewer(work);
  return (await isTheirs(work, viewer, about)) ? [] : viewer.listHidden();
}

async function isTheirs({ db }: Reader, viewer: Viewer, { developerId, takenBy }: About): Promise<boolean> {
  if (viewer.isSelf(developerId)) return true;
  const holder = takenBy ? await findAgent(db, takenBy) : undefined;
  return holder !== undefined && viewer.isSelf(holder.developerId);
}
