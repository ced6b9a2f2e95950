import type { FindingId } from "../../contract/ids.ts";
import { nextStep } from "../../contract/next-step.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { Note } from "../note/model.ts";
import { writeNote } from "../note/operations.ts";
import { listDecidedFindings } from "../note/queries.ts";
import { readViewer } from "../person/viewer-queries.ts";
import type { Look } from "../port.ts";
import type { Work } from "../work.ts";
import { findingEvent } from "./events.ts";
import { type Finding, type FindingDecision, type FindingRecord, type FindingSource, stateAt } from "./model.ts";
import { normaliseFinding, type Routing } from "./normalise.ts";
import type { ReportsAsk } from "./port.ts";
import { findFinding, readKnown } from "./queries.ts";
import { followScanner, stateFrom } from "./rules.ts";
import { contentOf, insertFindings, saveFinding } from "./store.ts";

/** A file with more is taken in parts: one call must end. */
const mostReports = 50_000;

interface ReadReports {
  readonly total: number;
  readonly records: readonly FindingRecord[];
  readonly problems: readonly { readonly index: number; readonly message: string }[];
}

/** Reads a file of reports before the transaction; what cannot be read is counted and told, and stops nothing (TG3). */
export async function readReports(
  look: Pick<Look, "ports" | "signal" | "progress">,
  ask: ReportsAsk,
  { source, routing }: { readonly source: FindingSource; readonly routing: Routing },
): Promise<ReadReports> {
  const records = new Map<FindingId, FindingRecord>();
  const problems: { index: number; message: string }[] = [];
  let total = 0;
  for await (const report of look.ports.finding.readReports(ask, look.signal)) {
    if (total === mostReports) {
      throw new Refusal(
        "TOO_LARGE",
        `A file holds at most ${mostReports} findings.`,
        "Split the file and ingest the parts.",
      );
    }
    const read = "problem" in report ? report : normaliseFinding(source, report.value, routing);
    if ("problem" in read) problems.push({ index: total, message: read.problem });
    else records.set(read.recordId, read);
    total += 1;
    if (total % 1_000 === 0) look.progress?.(total, mostReports, `${total} findings read`);
  }
  return { total, records: [...records.values()], problems };
}

interface Ingested {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  /** What the scanner says is fixed or dismissed, and was not known to be. */
  readonly closed: number;
  /** What was fixed or dismissed and is open again. */
  readonly reopened: number;
}

const batch = 250;

/** Stores what was read. The same report twice changes nothing; what was decided about a finding stays (TG2, TG4). */
export async function ingestFindings(
  work: Work,
  read: ReadReports,
  { source, repositoryPath }: { readonly source: FindingSource; readonly repositoryPath: string },
): Promise<Ingested> {
  const viewer = await readViewer(work);
  const count = { created: 0, updated: 0, unchanged: 0, closed: 0, reopened: 0 };
  for (let from = 0; from < read.records.length; from += batch) {
    work.signal.throwIfAborted();
    const records = read.records.slice(from, from + batch);
    const known = await readKnown(
      work.db,
      records.map(({ recordId }) => recordId),
    );
    const decided = await listDecidedFindings(work.db, [...known.keys()]);
    const fresh: Finding[] = [];
    for (const record of records) {
      const finding = findingFrom(work, record, repositoryPath);
      const before = known.get(record.recordId);
      if (!before) {
        fresh.push(finding);
        if (finding.state !== "open") count.closed += 1;
      }
      // What only its finder could see becomes everyone's once another finds it too.
      else if (before.record === JSON.stringify(record) && viewer.knows(before)) count.unchanged += 1;
      else {
        const { scanner } = JSON.parse(before.record) as FindingRecord;
        const isDecided = decided.has(finding.id);
        const state = followScanner({ ...before, scanner, isDecided }, record.scanner, work.now);
        const change = state && { state, expiresAt: null };
        await saveFinding(work.db, { id: finding.id, version: before.version }, { ...contentOf(finding), ...change });
        count.updated += 1;
        if (state !== undefined) count[state === "open" ? "reopened" : "closed"] += 1;
      }
    }
    await insertFindings(work.db, fresh);
    count.created += fresh.length;
    work.progress(Math.min(from + batch, read.records.length), read.records.length, "Findings stored");
  }
  work.record(findingEvent.ingested(source, { total: read.total, ...count, errors: read.problems.length }));
  return count;
}

const findingFrom = (work: Work, record: FindingRecord, repositoryPath: string): Finding => ({
  id: record.recordId,
  developerId: work.caller.developerId,
  source: record.source,
  severity: record.vuln.severity,
  state: stateFrom(record.scanner),
  title: record.vuln.title,
  vulnId: record.vuln.vulnId,
  packageName: record.package.name,
  manifestPath: record.package.manifestPath,
  service: record.service,
  env: record.env,
  repositoryPath,
  record,
  taskId: null,
  expiresAt: null,
  createdAt: work.now,
  updatedAt: work.now,
  version: 1,
});

/** A finding that the caller may know of; one that a private developer brought in is theirs alone. */
export async function getFinding(work: Pick<Work, "db" | "caller">, id: FindingId): Promise<Finding> {
  const finding = await findFinding(work.db, id);
  if (!finding || !(await readViewer(work)).knows(finding)) {
    throw new Refusal("NOT_FOUND", "No finding has that id.", nextStep("listFindings"));
  }
  return finding;
}

interface Decision {
  readonly status: FindingDecision;
  readonly justification: string | null;
  readonly reviewer: string | null;
  readonly expiresAt: number | null;
  readonly meta: Readonly<Record<string, string>>;
  readonly codes: readonly string[];
  readonly evidence: readonly string[];
}

/** Decides about a finding. Each decision is a note of its own; earlier ones stay as they were (TG6). */
export async function decideFinding(
  work: Work,
  id: FindingId,
  decision: Decision,
): Promise<{ finding: Finding; note: Note }> {
  if (decision.expiresAt !== null && decision.expiresAt <= work.now) {
    throw new Refusal("INVALID_REQUEST", "expires is in the past.", "Pass a later date, or leave it out.");
  }
  return writeDecision(work, await getFinding(work, id), decision);
}

export async function writeDecision(
  work: Work,
  finding: Finding,
  decision: Decision,
): Promise<{ finding: Finding; note: Note }> {
  const { status, justification, reviewer, expiresAt, meta, codes, evidence } = decision;
  const { service, env, team, owner, repo, vuln, package: pack, asset } = finding.record;
  const note = await writeNote(
    work,
    { id: null, workflowId: null },
    {
      kind: "decision",
      summary: justification ?? `${status}: ${finding.title}`.slice(0, 2_000),
      detail: {
        decision: { status, justification, reviewer, expires: expiresAt, meta, codes, evidence },
        routing: { service, env, team, owner, repo },
        vuln: { vulnId: vuln.vulnId, cve: vuln.cve, severity: vuln.severity },
        package: { name: pack.name, manifestPath: pack.manifestPath },
        asset: { id: asset.id },
      },
      files: [],
      findingId: finding.id,
    },
  );
  const change = { state: status, expiresAt, updatedAt: work.now };
  await saveFinding(work.db, finding, change);
  const previous = stateAt(finding, work.now);
  work.record(findingEvent.decided(finding.id, { status, previous, decision_id: note.id }));
  return { finding: { ...finding, ...change, version: finding.version + 1 }, note };
}
