import type { TextNeed } from "../../contract/text-need.ts";
import { stateAt } from "../finding/model.ts";
import { listFeedback } from "../ledger/feedback-queries.ts";
import { readViewer } from "../person/viewer-queries.ts";
import type { Look } from "../port.ts";
import { eachRecords, type SearchRecord } from "./record-queries.ts";

/** A record that the caller may know of, with whose it is. */
export interface ReadableRecord extends SearchRecord {
  readonly developer: string;
}

/** Of these only the newest are looked through: whoever reads on is told. */
export const mostFeedback = 1_000;

interface RecordsAsk {
  readonly kinds: readonly string[] | undefined;
  readonly need: TextNeed | undefined;
}

interface RecordPage {
  readonly records: readonly ReadableRecord[];
  /** Whether there are older ones that nobody looks at. */
  readonly isCut: boolean;
}

/** What the team wrote down and the caller may read, a page at a time: nothing of people who are private to them. */
export async function* gatherRecords(
  look: Pick<Look, "read" | "caller" | "signal" | "now">,
  { kinds, need }: RecordsAsk,
): AsyncGenerator<RecordPage> {
  const { developerId } = look.caller;
  const viewer = await look.read((db) => readViewer({ db, caller: look.caller }));
  const readable = (records: readonly SearchRecord[], isCut: boolean): RecordPage => ({
    records: viewer.known(records).map((record) => ({ ...record, developer: viewer.of(record).owner })),
    isCut,
  });
  for await (const records of eachRecords(look.read, {
    reader: developerId,
    kinds,
    need,
    stateOf: (row) => stateAt(row, look.now),
  })) {
    look.signal.throwIfAborted();
    yield readable(records, false);
  }
  if (kinds?.includes("feedback") === false) return;
  const feedback = await look.read((db) => listFeedback(db, { developerId, limit: mostFeedback }));
  const told = feedback.map(({ type, message, requiredAction, code, subject, at }) => ({
    id: subject,
    kind: "feedback",
    name: code ?? type,
    text: [message, requiredAction ?? ""].join("\n").trim(),
    developerId,
    at,
    meta: { type, code, subject, at: new Date(at).toISOString() },
  }));
  yield readable(told, feedback.length === mostFeedback);
}
