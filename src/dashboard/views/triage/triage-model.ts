import { type findingDecisions, findingStates, severities } from "../../../contract/words.ts";
import type { AnswerOf } from "../../../tools/calls.ts";
import { callTool, read } from "../../data/api.ts";
import { deck } from "../../data/deck.ts";
import type { LiveEvent } from "../../data/event.ts";
import { type Reading, readAgain } from "../../data/store.ts";
import { actUndoably } from "../../parts/undo.ts";

type Findings = AnswerOf<"finding_list">;
export type Finding = Findings["findings"][number];
type FindingState = Finding["state"];
type Severity = Finding["severity"];
export type FindingDetail = AnswerOf<"finding_get">;
type Evidence = AnswerOf<"finding_evidence">;
type Decision = (typeof findingDecisions)[number];

/** Findings themselves, and the tasks that fix them. */
const isAbout = ({ kind, subject }: LiveEvent, findings: readonly Pick<Finding, "task_id">[]): boolean =>
  kind.startsWith("finding.") || findings.some(({ task_id }) => task_id === subject);

const mostShown = 500;

export function findingsReading(state: FindingState | "all", severity: Severity | undefined): Reading<Findings> {
  return {
    key: `findings ${state} ${severity}`,
    load: (signal) =>
      read(
        "/api/findings",
        {
          limit: mostShown,
          ...(state === "all" ? {} : { state: [state] }),
          ...(severity === undefined ? {} : { severity: [severity] }),
        },
        signal,
      ),
    applyEvent: (findings, event) => (isAbout(event, findings.findings) ? readAgain : findings),
  };
}

export const findingReading = (id: string): Reading<FindingDetail> => ({
  key: `finding:${id}`,
  load: (signal) => read("/api/findings/:id", { id }, signal),
  applyEvent: (finding, event) => (isAbout(event, [finding]) ? readAgain : finding),
});

export const evidenceReading = (id: string): Reading<Evidence> => ({
  key: `finding-evidence:${id}`,
  load: (signal) => read("/api/findings/:id/evidence", { id }, signal),
});

export const stateWords: Readonly<Record<FindingState, string>> = {
  open: "Open",
  fix: "To fix",
  accept: "Accepted",
  defer: "Deferred",
  false_positive: "False positive",
  not_affected: "Not affected",
  fixed: "Fixed",
};

export const severityWords: Readonly<Record<Severity, string>> = {
  critical: "Critical",
  high: "High",
  medium: "Medium",
  low: "Low",
  info: "Info",
  unknown: "Unknown",
};

export const severityTone = (severity: Severity): "danger" | "attention" | undefined =>
  severity === "critical" ? "danger" : severity === "high" ? "attention" : undefined;

/** One key each; planning the fix has a key of its own. */
export const choices: readonly { readonly key: string; readonly decision: Decision; readonly label: string }[] = [
  { key: "a", decision: "accept", label: "Accept risk" },
  { key: "d", decision: "defer", label: "Defer" },
  { key: "n", decision: "not_affected", label: "Not affected" },
  { key: "x", decision: "false_positive", label: "False positive" },
];

export const isState = (text: string | null): text is FindingState => findingStates.some((state) => state === text);
export const isSeverity = (text: string | null): text is Severity => severities.some((one) => one === text);

export const countOf = (
  { counts }: Findings,
  wanted: { readonly state?: FindingState | "all"; readonly severity?: Severity },
): number =>
  counts
    .filter(
      ({ state, severity }) =>
        (wanted.state === undefined || wanted.state === "all" || wanted.state === state) &&
        (wanted.severity === undefined || wanted.severity === severity),
    )
    .reduce((sum, { count }) => sum + count, 0);

/** Decides, and can be taken back for a few seconds. */
export function decide(finding: Finding, decision: Decision, justification: string): void {
  actUndoably({
    key: finding.id,
    text: `${stateWords[decision]}: ${finding.title}`,
    async commit() {
      const why = justification.trim();
      await callTool("triage_decision", {
        finding: finding.id,
        status: decision,
        ...(why === "" ? {} : { justification: why }),
      });
      await Promise.all([deck.store.reload(`finding:${finding.id}`), reloadLists()]);
    },
  });
}

const lists = new Set<string>();
export const rememberList = (key: string): void => void lists.add(key);
const reloadLists = (): Promise<unknown> => Promise.all([...lists].map((key) => deck.store.reload(key)));

/** `lodash 4.17.15, fixed in 4.17.21` */
export function sayPackage({
  package: name,
  installed_version: installed,
  fixed_version: fixed,
}: Pick<Finding, "package" | "installed_version" | "fixed_version">): string {
  if (name === null) return "";
  return `${[name, installed].filter(Boolean).join(" ")}${fixed === null ? "" : `, fixed in ${fixed}`}`;
}
