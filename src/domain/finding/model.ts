import type { DeveloperId, FindingId, TaskId } from "../../contract/ids.ts";
import type { findingDecisions, findingSources, findingStates, OneOf, severities } from "../../contract/words.ts";

export type FindingSource = OneOf<typeof findingSources>;
export type FindingState = OneOf<typeof findingStates>;
export type FindingDecision = OneOf<typeof findingDecisions>;
export type Severity = OneOf<typeof severities>;

/** What one report says, in the same words whichever scanner it came from. */
export interface FindingRecord {
  readonly recordId: FindingId;
  readonly recordType: "finding";
  readonly source: FindingSource;
  readonly service: string | null;
  readonly env: string | null;
  readonly team: string | null;
  readonly owner: string | null;
  readonly repo: string | null;
  /** Missing where the scanner has no such state. */
  readonly scanner?: ScannerFacts;
  readonly vuln: Vulnerability;
  readonly package: PackageFacts;
  readonly asset: AssetFacts;
  readonly exposure: Exposure;
  /** Whatever else was said about where it belongs. */
  readonly meta: Readonly<Record<string, string>>;
  /** What could not be read, or only in part. */
  readonly parseWarnings: readonly string[];
}

/** What a scanner thinks of its own report. */
export interface ScannerFacts {
  readonly state: "open" | "fixed" | "dismissed";
  /** Why somebody dismissed it there, in the scanner's own words. */
  readonly reason: string | null;
}

export interface Vulnerability {
  readonly vulnId: string | null;
  readonly cve: string | null;
  readonly title: string;
  readonly description: string | null;
  readonly severity: Severity;
  readonly cvss: number | null;
  readonly cwe: readonly string[];
  readonly references: readonly string[];
}

export interface PackageFacts {
  readonly name: string | null;
  readonly ecosystem: string | null;
  readonly installedVersion: string | null;
  readonly affectedRange: string | null;
  readonly fixedVersion: string | null;
  readonly manifestPath: string | null;
  readonly purl: string | null;
}

export interface AssetFacts {
  readonly id: string | null;
  readonly type: string | null;
  readonly name: string | null;
  readonly region: string | null;
  readonly account: string | null;
}

export interface Exposure {
  readonly internetExposed: boolean | null;
  readonly publicEndpoint: string | null;
  readonly dataSensitivity: string | null;
  readonly businessCriticality: string | null;
  readonly compensatingControls: readonly string[];
}

export interface Finding {
  readonly id: FindingId;
  readonly developerId: DeveloperId;
  readonly source: FindingSource;
  readonly severity: Severity;
  readonly state: FindingState;
  readonly title: string;
  readonly vulnId: string | null;
  readonly packageName: string | null;
  readonly manifestPath: string | null;
  readonly service: string | null;
  readonly env: string | null;
  readonly repositoryPath: string;
  readonly record: FindingRecord;
  readonly taskId: TaskId | null;
  /** Until when the decision holds that its state comes from; `stateAt` minds it. */
  readonly expiresAt: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly version: number;
}

type StateFacts = Pick<Finding, "state" | "expiresAt">;

/** What was decided holds until it expires; then the finding is open again (TG18). */
export const stateAt = ({ state, expiresAt }: StateFacts, now: number): FindingState =>
  isExpired({ expiresAt }, now) ? "open" : state;

export const isExpired = ({ expiresAt }: Pick<StateFacts, "expiresAt">, now: number): boolean =>
  expiresAt !== null && expiresAt <= now;
