import { type Draft, scannerOf } from "./draft.ts";
import { listAt, numberAt, textAt, valueAt } from "./pick.ts";

/** An alert as GitHub's REST interface sends it; the GraphQL spelling is read too. */
export function readDependabot(alert: unknown): Draft {
  const repo = textAt(alert, ["repository.full_name", "repository.nameWithOwner", "repo"]) ?? repoIn(alert);
  const number = textAt(alert, ["number", "id"]);
  const advisory = ["security_advisory", "securityAdvisory", "securityVulnerability.advisory"];
  const of = (...keys: string[]): string[] => advisory.flatMap((from) => keys.map((key) => `${from}.${key}`));
  const ghsa = textAt(alert, of("ghsa_id", "ghsaId"));
  const cve = textAt(alert, of("cve_id", "cveId")) ?? cveAmong(alert, of("identifiers"));
  return {
    alertKey: number === null ? null : `${repo ?? ""}#${number}`,
    repo,
    scanner: scannerOf(
      textAt(alert, ["state"]),
      { open: "open", fixed: "fixed", dismissed: "dismissed", auto_dismissed: "dismissed" },
      textAt(alert, ["dismissed_reason", "dismissReason"]),
    ),
    vuln: {
      vulnId: ghsa ?? cve,
      cve,
      title: textAt(alert, of("summary")),
      description: textAt(alert, of("description"), 20_000),
      severity: textAt(alert, [
        ...of("severity"),
        "security_vulnerability.severity",
        "securityVulnerability.severity",
        "severity",
      ]),
      cvss: numberAt(alert, of("cvss.score", "cvss_severities.cvss_v4.score", "cvss_severities.cvss_v3.score")),
      cwe: listAt(alert, of("cwes"), "cwe_id"),
      references: [...new Set([...listAt(alert, of("references"), "url"), ...listAt(alert, ["html_url"])])],
    },
    package: {
      name: textAt(alert, [
        "dependency.package.name",
        "security_vulnerability.package.name",
        "securityVulnerability.package.name",
      ]),
      ecosystem: textAt(alert, [
        "dependency.package.ecosystem",
        "security_vulnerability.package.ecosystem",
        "securityVulnerability.package.ecosystem",
      ]),
      installedVersion: textAt(alert, ["dependency.version", "vulnerableRequirements"]),
      affectedRange: textAt(alert, [
        "security_vulnerability.vulnerable_version_range",
        "securityVulnerability.vulnerableVersionRange",
      ]),
      fixedVersion: textAt(alert, [
        "security_vulnerability.first_patched_version.identifier",
        "securityVulnerability.firstPatchedVersion.identifier",
      ]),
      manifestPath: textAt(alert, ["dependency.manifest_path", "vulnerableManifestPath"]),
    },
  };
}

/** `https://api.github.com/repos/acme/shop/dependabot/alerts/7` */
function repoIn(alert: unknown): string | null {
  const address = textAt(alert, ["url", "html_url"], 2_000) ?? "";
  return (
    /github[^/]*\/(?:(?:api\/v3\/)?repos\/)?([\w.-]+\/[\w.-]+)\/(?:security\/)?dependabot\//.exec(address)?.[1] ?? null
  );
}

function cveAmong(alert: unknown, paths: readonly string[]): string | null {
  for (const path of paths) {
    const identifiers = valueAt(alert, path);
    const all = Array.isArray(identifiers) ? identifiers : [];
    const found = all.find((one) => textAt(one, ["type"]) === "CVE");
    if (found !== undefined) return textAt(found, ["value"]);
  }
  return null;
}
