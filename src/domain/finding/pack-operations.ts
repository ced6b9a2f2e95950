import { type FindingId, isIdOf, NoteId } from "../../contract/ids.ts";
import type { Note } from "../note/model.ts";
import { findNote, listFindingNotes } from "../note/queries.ts";
import { readViewer } from "../person/viewer-queries.ts";
import type { Look } from "../port.ts";
import type { Work } from "../work.ts";
import { findingEvent } from "./events.ts";
import type { Finding } from "./model.ts";
import { getFinding } from "./operations.ts";
import { chooseHistory, queriesOf } from "./pack.ts";
import { listKin } from "./queries.ts";

const mostKin = 200;
const mostNotes = 100;
const mostHistory = 5;

interface PackAsk {
  /** A finding, or a decision about one. */
  readonly recordId: FindingId;
  readonly root: string;
  readonly outPath: string | undefined;
  readonly ann: boolean;
}

interface Pack {
  readonly finding: Finding;
  readonly path: string;
  readonly decisions: number;
  readonly hits: number;
  readonly queries: readonly string[];
  readonly warnings: readonly string[];
}

/** Puts together what helps to decide about a finding, and writes it down below the home. */
export async function packFinding(look: Look, ask: PackAsk): Promise<Pack> {
  const { finding, history } = await look.read(async (db) => readHistory({ db, caller: look.caller }, ask.recordId));
  const queries = queriesOf(finding);
  const found = await look.ports.finding.findEvidence({ root: ask.root, queries, ann: ask.ann }, look.signal);
  const content = {
    finding: { ...finding.record, state: finding.state, createdAt: finding.createdAt, updatedAt: finding.updatedAt },
    history: history.map((note) => ({
      recordId: note.id,
      recordType: "decision",
      findingId: note.findingId,
      createdAt: note.createdAt,
      summary: note.summary,
      ...note.detail,
    })),
    repoEvidence: { queries, hits: found.hits },
    warnings: found.warnings,
  };
  const path = await look.ports.finding.writePack({ recordId: finding.id, outPath: ask.outPath, content }, look.signal);
  return { finding, path, decisions: history.length, hits: found.hits.length, queries, warnings: found.warnings };
}

async function readHistory(
  work: Pick<Work, "db" | "caller">,
  recordId: FindingId,
): Promise<{ finding: Finding; history: Note[] }> {
  const note = isIdOf("note")(recordId) ? await findNote(work.db, NoteId.parse(recordId)) : undefined;
  const finding = await getFinding(work, note?.findingId ?? recordId);
  const viewer = await readViewer(work);
  const kin = viewer.known(await listKin(work.db, finding, mostKin));
  const notes = await listFindingNotes(
    work.db,
    kin.map(({ id }) => id),
    mostNotes,
  );
  return { finding, history: chooseHistory(finding, kin, viewer.known(notes), mostHistory) };
}

/** That a pack was made is known to everyone who follows the finding. */
export async function recordPack(work: Work, { finding, decisions, hits }: Pack): Promise<void> {
  work.record(findingEvent.packed(finding.id, { decisions, hits }));
}
