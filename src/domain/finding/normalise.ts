import { createHash } from "node:crypto";
import { FindingId } from "../../contract/ids.ts";
import type { FindingRecord, FindingSource, Severity } from "./model.ts";
import { readDependabot } from "./source/dependabot.ts";
import type { Draft } from "./source/draft.ts";
import { readGeneric } from "./source/generic.ts";
import { readInspector } from "./source/inspector.ts";
import { isObject } from "./source/pick.ts";

/** Where findings belong, as whoever brings them in says; it goes before what they say themselves. */
export interface Routing {
  readonly service?: string | undefined;
  readonly env?: string | undefined;
  readonly team?: string | undefined;
  readonly owner?: string | undefined;
  readonly repo?: string | undefined;
  readonly more: Readonly<Record<string, string>>;
}

const readers = {
  dependabot: readDependabot,
  aws_inspector: readInspector,
  generic: readGeneric,
  manual: readGeneric,
} as const satisfies Record<FindingSource, (sent: unknown) => Draft>;

/** One report in our words, or why it cannot be kept (TG3). */
export function normaliseFinding(
  source: FindingSource,
  sent: unknown,
  routing: Routing,
): FindingRecord | { readonly problem: string } {
  if (!isObject(sent)) return { problem: "A finding is an object." };
  const draft = readers[source](sent);
  const { vuln } = draft;
  const title = vuln.title ?? titleOf(draft);
  const key = keyOf(draft, title);
  if (title === null || key === null) return { problem: "A finding needs a vulnerability id or a title." };
  const warnings = [...(draft.warnings ?? [])];
  const severity = severityOf(vuln.severity);
  if (severity === "unknown") warnings.push("The severity is missing or not a known word.");
  return {
    recordId: FindingId.parse(createHash("sha1").update(`${source}\n${key}`).digest("hex")),
    recordType: "finding",
    source,
    service: routing.service ?? draft.service ?? null,
    env: routing.env ?? draft.env ?? null,
    team: routing.team ?? draft.team ?? null,
    owner: routing.owner ?? draft.owner ?? null,
    repo: routing.repo ?? draft.repo ?? null,
    ...(draft.scanner && { scanner: draft.scanner }),
    vuln: { ...vuln, title, severity },
    package: { ...noPackage, ...draft.package },
    asset: { ...noAsset, ...draft.asset },
    exposure: { ...noExposure, ...draft.exposure },
    meta: routing.more,
    parseWarnings: warnings,
  };
}

/** The same report has the same key however often it comes: the scanner's own id, else what it is about (TG2). */
function keyOf({ alertKey, vuln, package: { name, manifestPath }, asset }: Draft, title: string | null): string | null {
  if (alertKey !== null) return `alert ${alertKey}`;
  const what = vuln.vulnId ?? title;
  if (what === null) return null;
  if (name) return manifestPath ? `advisory ${what} ${name} ${manifestPath}` : `vuln ${what} ${name}`;
  return asset?.id ? `vuln ${what} ${asset.id}` : `vuln ${what} ${manifestPath ?? ""}`;
}

function titleOf({ vuln, package: { name } }: Draft): string | null {
  if (vuln.vulnId === null) return null;
  return name ? `${vuln.vulnId} in ${name}` : vuln.vulnId;
}

const severityWords: Readonly<Record<string, Severity>> = {
  critical: "critical",
  high: "high",
  important: "high",
  error: "high",
  medium: "medium",
  moderate: "medium",
  warning: "medium",
  low: "low",
  minor: "low",
  note: "info",
  info: "info",
  informational: "info",
  negligible: "info",
  none: "info",
};

const severityOf = (word: string | null): Severity => {
  const known = (word ?? "").toLowerCase();
  return Object.hasOwn(severityWords, known) ? (severityWords[known] ?? "unknown") : "unknown";
};

const noPackage = {
  name: null,
  ecosystem: null,
  installedVersion: null,
  affectedRange: null,
  fixedVersion: null,
  manifestPath: null,
  purl: null,
};

const noAsset = { id: null, type: null, name: null, region: null, account: null };

const noExposure = {
  internetExposed: null,
  publicEndpoint: null,
  dataSensitivity: null,
  businessCriticality: null,
  compensatingControls: [],
};
