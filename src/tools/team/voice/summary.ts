import { z } from "zod";
import type { Cut, WeekReport } from "../../../domain/context/team-model.ts";
import type { Viewer } from "../../../domain/person/viewer-model.ts";
import { ScoreRecord, scoreRecord } from "../../person/voice/recovery.ts";
import { timeOf } from "../../time.ts";
import {
  AuditRecord,
  auditRecord,
  NoteRecord,
  noteRecord,
  SessionRecord,
  sessionRecord,
  WarningRecord,
  WorkRecord,
  warningRecord,
  workRecord,
} from "./records.ts";
import { summaryMarkdown } from "./summary-markdown.ts";

const sectionOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), total: z.number().int().describe("Counted up to 1,000.") });

export const Sections = z.object({
  completed: sectionOf(WorkRecord),
  planned: sectionOf(WorkRecord),
  active: sectionOf(WorkRecord),
  blocked: sectionOf(WorkRecord),
  blockers: sectionOf(NoteRecord),
  decisions: sectionOf(NoteRecord),
  overlap_warnings: sectionOf(WarningRecord),
  parallel_audits: sectionOf(AuditRecord),
  agent_sessions: sectionOf(SessionRecord),
});
export type Sections = z.input<typeof Sections>;

export const SummaryRecord = z.object({
  summary_id: z.string(),
  developer: z.string().describe("Who asked for it."),
  since: z.string(),
  until: z.string(),
  sections: Sections,
  recoveries: ScoreRecord.extend({ count: z.number().int() })
    .optional()
    .describe("What agents got back of the tasks whose context they loaded; left out where none did."),
  markdown: z.string(),
});

export type Summary = z.input<typeof SummaryRecord>;

/** A stored week as its reader may see it: who is private now was perhaps not private then. */
export function summaryRecord(report: WeekReport, viewer: Viewer): z.input<typeof SummaryRecord> {
  const { data } = report;
  const sections: Sections = {
    completed: section(data.completed, (work) => workRecord(work, viewer)),
    planned: section(data.planned, (work) => workRecord(work, viewer)),
    active: section(data.active, (work) => workRecord(work, viewer)),
    blocked: section(data.blocked, (work) => workRecord(work, viewer)),
    blockers: section(data.blockers, (note) => noteRecord(note, viewer)),
    decisions: section(data.decisions, (note) => noteRecord(note, viewer)),
    overlap_warnings: section(data.warnings, (warning) => warningRecord(warning, viewer)),
    parallel_audits: section(data.audits, (audit) => auditRecord(audit, viewer)),
    agent_sessions: section(data.sessions, (session) => sessionRecord(session, viewer, data.until)),
  };
  const { count = 0 } = data.recoveries ?? {};
  const recovered = data.recoveries && count > 0 ? { recoveries: { count, ...scoreRecord(data.recoveries) } } : {};
  const [since, until] = [timeOf(data.since), timeOf(data.until)];
  return {
    summary_id: report.id,
    developer: viewer.of(report).owner,
    since,
    until,
    sections,
    ...recovered,
    markdown: summaryMarkdown(sections, { since, until, ...recovered }),
  };
}

const section = <From, To>(cut: Cut<From>, record: (item: From) => To): { items: To[]; total: number } => ({
  items: cut.items.map(record),
  total: cut.total,
});
