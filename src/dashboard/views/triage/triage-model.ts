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

interface Wanted {
  readonly state: FindingState | "all";
  readonly severity: Severity | undefined;
}

const pageSize = 500;
/** How many of each list somebody has scrolled to. */
const wanted = new Map<string, number>();

const keyOf = ({ state, severity }: Wanted): string => `findings ${state} ${severity}`;

export function findingsReading(list: Wanted): Reading<Findings> {
  const { state, severity } = list;
  const filter = {
    ...(state === "all" ? {} : { state: [state] }),
    ...(severity === undefined ? {} : { severity: [severity] }),
  };
  return {
    key: keyOf(list),
    async load(signal) {
      const most = wanted.get(keyOf(list)) ?? pageSize;
      let page = await read("/api/findings", { ...filter, limit: pageSize }, signal);
      let { findings } = page;
      while (findings.length < most && page.findings.length === pageSize) {
        page = await read("/api/findings", { ...filter, limit: pageSize, offset: findings.length }, signal);
        findings = [...findings, ...page.findings];
      }
      // What moved from one page to the next while they were read is in both.
      return { counts: page.counts, findings: [...new Map(findings.map((one) => [one.id, one])).values()] };
    },
    applyEvent: (findings, event) => (isAbout(event, findings.findings) ? readAgain : findings),
  };
}

/** Asks for the next page of a list that has one; whoever asks reads the list again. */
export function wantMore(shown: Findings, list: Wanted): boolean {
  const loaded = shown.findings.length;
  if (loaded < pageSize || loaded >= countOf(shown, list)) return false;
  wanted.set(keyOf(list), loaded + pageSize);
  return true;
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
  asked: { readonly state?: FindingState | "all"; readonly severity?: Severity | undefined },
): number =>
  counts
    .filter(
      ({ state, severity }) =>
        (asked.state === undefined || asked.state === "all" || asked.state === state) &&
        (asked.severity === undefined || asked.severity === severity),
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

/** Where a hit can be read: the search for what was found, in its file and its repository. */
export const placeOfHit = (repository: string, { query, file }: Evidence["hits"][number]): string =>
  `/search?${new URLSearchParams({ q: `"${query.replaceAll(/["\\]/g, " ")}"`, mode: "both", repo: repository, path: file })}`;

/** `Deferred until 3/31/2027`, `Open · Deferred expired 3/31/2027`; the state alone where nothing expires. */
export function sayState({
  state,
  expires,
  expired_state: expired,
}: Pick<Finding, "state" | "expires" | "expired_state">): string {
  if (expires === null) return stateWords[state];
  const day = new Date(expires).toLocaleDateString();
  return expired === null
    ? `${stateWords[state]} until ${day}`
    : `${stateWords[state]} · ${stateWords[expired]} expired ${day}`;
}
