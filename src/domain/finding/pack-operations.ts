import { type FindingId, isIdOf, NoteId } from "../../contract/ids.ts";
import { Refusal } from "../../contract/refusal.ts";
import { codeModes, type IndexedTree } from "../codeindex/model.ts";
import type { Note } from "../note/model.ts";
import { findNote, listFindingNotes } from "../note/queries.ts";
import { readViewer } from "../person/viewer-queries.ts";
import type { Look } from "../port.ts";
import type { Work } from "../work.ts";
import { findingEvent } from "./events.ts";
import { type Finding, stateAt } from "./model.ts";
import { getFinding } from "./operations.ts";
import { chooseHistory, queriesOf } from "./pack.ts";
import { listKin } from "./queries.ts";

const mostKin = 200;
const mostNotes = 100;
const mostHistory = 5;
const mostHits = 5;
const longestSnippet = 240;

interface PackAsk {
  /** A finding, or a decision about one. */
  readonly recordId: FindingId;
  readonly repository: IndexedTree;
  readonly outPath: string | undefined;
  /** Whether the code is also searched for what means the same. */
  readonly isByMeaning: boolean;
}

interface Pack {
  readonly finding: Finding;
  readonly path: string;
  readonly decisions: number;
  readonly hits: number;
  readonly queries: readonly string[];
  readonly warnings: readonly string[];
}

/** What helps to decide about a finding: earlier decisions about it and its like, and where the code has its names. */
interface Evidence {
  readonly finding: Finding;
  readonly history: readonly Note[];
  readonly queries: readonly string[];
  readonly hits: readonly EvidenceHit[];
  readonly warnings: readonly string[];
}

/** Puts it together, and writes it down below the home. */
export async function packFinding(look: Look, ask: PackAsk): Promise<Pack> {
  const { finding, history, queries, hits, warnings } = await gatherEvidence(look, ask);
  const content = {
    finding: {
      ...finding.record,
      state: stateAt(finding, look.now),
      createdAt: timeOf(finding.createdAt),
      updatedAt: timeOf(finding.updatedAt),
    },
    history: history.map((note) => ({
      recordId: note.id,
      recordType: "decision",
      findingId: note.findingId,
      createdAt: timeOf(note.createdAt),
      summary: note.summary,
      ...note.detail,
      ...decisionOf(note),
    })),
    repoEvidence: { queries, hits },
    warnings,
  };
  const path = await look.ports.finding.writePack({ recordId: finding.id, outPath: ask.outPath, content }, look.signal);
  return { finding, path, decisions: history.length, hits: hits.length, queries, warnings };
}

const timeOf = (at: number): string => new Date(at).toISOString();

/** The decision itself, with its time as everyone writes it. */
function decisionOf({ detail }: Note): { decision?: object } {
  const decision = detail?.["decision"];
  if (typeof decision !== "object" || decision === null || !("expires" in decision)) return {};
  return { decision: { ...decision, expires: typeof decision.expires === "number" ? timeOf(decision.expires) : null } };
}

interface EvidenceAsk {
  readonly recordId: FindingId;
  readonly repository: IndexedTree | Refusal;
  readonly isByMeaning?: boolean;
}

/** The same without a file, for whoever reads it on a screen. A repository that cannot be read is said to be so. */
export async function gatherEvidence(
  look: Look,
  { recordId, repository, isByMeaning = false }: EvidenceAsk,
): Promise<Evidence> {
  const { finding, history } = await look.read(async (db) => readHistory({ db, caller: look.caller }, recordId));
  const queries = queriesOf(finding);
  const found =
    repository instanceof Refusal
      ? { hits: [], warnings: [notSearched(repository)] }
      : await findEvidence(look, repository, { queries, isByMeaning });
  return { finding, history, queries, ...found };
}

const notSearched = ({ message }: Refusal): string => `The code was not searched: ${message}`;

interface EvidenceHit {
  readonly query: string;
  readonly mode: string;
  readonly file: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly name: string;
  readonly snippet: string;
}

/** Where the code has these words: a few hits for each, in code and in prose. Says what it could not look through. */
async function findEvidence(
  look: Look,
  repository: IndexedTree,
  { queries, isByMeaning }: { readonly queries: readonly string[]; readonly isByMeaning: boolean },
): Promise<{ hits: EvidenceHit[]; warnings: string[] }> {
  const hits: EvidenceHit[] = [];
  for (const query of queries) {
    try {
      const found = await look.ports.codeindex.search(
        {
          repository,
          query: `"${query.replaceAll(/["\\]/g, " ")}"`,
          modes: codeModes,
          isNothing: false,
          filters: {},
          top: mostHits,
          contextLines: 0,
          isFull: false,
          isEverywhere: false,
          isByMeaning,
          now: look.now,
        },
        { signal: look.signal },
      );
      for (const mode of codeModes) {
        for (const { file, startLine, endLine, name, headline } of found.hits[mode] ?? []) {
          hits.push({ query, mode, file, startLine, endLine, name, snippet: headline.slice(0, longestSnippet) });
        }
      }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { hits, warnings: [notSearched(error)] };
    }
  }
  return { hits, warnings: [] };
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
