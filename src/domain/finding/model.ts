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
  readonly vuln: Vulnerability;
  readonly package: PackageFacts;
  readonly asset: AssetFacts;
  readonly exposure: Exposure;
  /** Whatever else was said about where it belongs. */
  readonly meta: Readonly<Record<string, string>>;
  /** What could not be read, or only in part. */
  readonly parseWarnings: readonly string[];
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
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly version: number;
}
