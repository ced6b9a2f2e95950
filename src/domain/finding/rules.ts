import { type Finding, type FindingState, type ScannerFacts, stateAt } from "./model.ts";

/** What a scanner's word makes of a finding that nobody has decided about here (TG17). */
export function stateFrom(scanner: ScannerFacts | undefined): FindingState {
  if (scanner === undefined || scanner.state === "open") return "open";
  if (scanner.state === "fixed") return "fixed";
  const reason = scanner.reason?.toLowerCase() ?? "";
  return Object.hasOwn(dismissals, reason) ? (dismissals[reason] ?? "accept") : "accept";
}

/** GitHub's reasons; whoever dismisses without one accepts. */
const dismissals: Readonly<Record<string, FindingState>> = {
  fix_started: "fix",
  inaccurate: "false_positive",
  no_bandwidth: "defer",
  not_used: "not_affected",
  tolerable_risk: "accept",
};

interface Known extends Pick<Finding, "state" | "expiresAt"> {
  readonly scanner: ScannerFacts | undefined;
  /** Whether somebody decided about it here. */
  readonly isDecided: boolean;
}

/**
 * The state that a later report gives a finding; undefined where it stays. Only a change of the scanner's mind counts:
 * what was fixed here is still open there until the next scan. Decisions stay, but what is gone needs none, and what
 * was fixed and is seen again has come back.
 */
export function followScanner(known: Known, scanner: ScannerFacts | undefined, now: number): FindingState | undefined {
  const [was, is] = [stateFrom(known.scanner), stateFrom(scanner)];
  if (scanner === undefined || was === is) return undefined;
  const state = stateAt(known, now);
  if (is === "fixed") return !known.isDecided || state === "open" || state === "fix" ? is : undefined;
  if (was === "fixed" && state === "fixed") return is;
  return known.isDecided ? undefined : is;
}
