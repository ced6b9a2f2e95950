import { listFeedback } from "../ledger/feedback-queries.ts";
import { readViewer } from "../person/viewer-queries.ts";
import type { Look } from "../port.ts";
import { listSearchRecords, type SearchRecord } from "./record-queries.ts";

/** A record that the caller may know of, with whose it is. */
export interface ReadableRecord extends SearchRecord {
  readonly developer: string;
}

const mostFeedback = 1_000;

/** What the team wrote down and the caller may read: nothing of people who are private to them. */
export async function gatherRecords(look: Pick<Look, "read" | "caller">): Promise<ReadableRecord[]> {
  const { developerId } = look.caller;
  return look.read(async (db) => {
    const viewer = await readViewer({ db, caller: look.caller });
    const records = await listSearchRecords(db, developerId);
    const feedback = await listFeedback(db, { developerId, limit: mostFeedback });
    const told = feedback.map(({ type, message, requiredAction, code, subject, at }) => ({
      id: subject,
      kind: "feedback",
      name: code ?? type,
      text: [message, requiredAction ?? ""].join("\n").trim(),
      developerId,
      at,
      meta: { type, code, subject, at: new Date(at).toISOString() },
    }));
    return viewer.known([...records, ...told]).map((record) => ({ ...record, developer: viewer.of(record).owner }));
  });
}
