import type { Draft } from "./draft.ts";
import { flagAt, listAt, numberAt, textAt } from "./pick.ts";

/** What any other scanner or a person writes: our own record, or its usual fields side by side. */
export function readGeneric(sent: unknown): Draft {
  const cve = textAt(sent, ["vuln.cve", "cve", "cveId", "cve_id"]);
  return {
    alertKey: textAt(sent, ["id", "alertId", "findingId", "key"], 2_048),
    service: textAt(sent, ["service"]),
    env: textAt(sent, ["env", "environment"]),
    team: textAt(sent, ["team"]),
    owner: textAt(sent, ["owner"]),
    repo: textAt(sent, ["repo", "repository"]),
    vuln: {
      vulnId: textAt(sent, ["vuln.vulnId", "vulnId", "vulnerabilityId", "advisory", "ghsa", "rule", "ruleId"]) ?? cve,
      cve,
      title: textAt(sent, ["vuln.title", "title", "summary", "name", "message"]),
      description: textAt(sent, ["vuln.description", "description", "details"], 20_000),
      severity: textAt(sent, ["vuln.severity", "severity", "level"]),
      cvss: numberAt(sent, ["vuln.cvss", "cvss", "cvss.score", "score"]),
      cwe: listAt(sent, ["vuln.cwe", "cwe", "cwes"], "cwe_id"),
      references: listAt(sent, ["vuln.references", "references", "urls", "url"], "url"),
    },
    package: {
      name: textAt(sent, ["package.name", "package", "packageName", "module", "component"]),
      ecosystem: textAt(sent, ["package.ecosystem", "ecosystem"]),
      installedVersion: textAt(sent, ["package.installedVersion", "package.version", "installedVersion", "version"]),
      affectedRange: textAt(sent, ["package.affectedRange", "affectedRange", "affected"]),
      fixedVersion: textAt(sent, ["package.fixedVersion", "fixedVersion", "fixedIn", "fixed_version"]),
      manifestPath: textAt(sent, ["package.manifestPath", "manifestPath", "manifest", "file", "path"]),
      purl: textAt(sent, ["package.purl", "purl"]),
    },
    asset: {
      id: textAt(sent, ["asset.id", "assetId", "arn", "asset"], 2_048),
      type: textAt(sent, ["asset.type"]),
      name: textAt(sent, ["asset.name", "host", "image"]),
      region: textAt(sent, ["asset.region", "region"]),
      account: textAt(sent, ["asset.account", "account"]),
    },
    exposure: {
      internetExposed: flagAt(sent, "exposure.internetExposed"),
      publicEndpoint: textAt(sent, ["exposure.publicEndpoint", "publicEndpoint", "endpoint"]),
      dataSensitivity: textAt(sent, ["exposure.dataSensitivity"]),
      businessCriticality: textAt(sent, ["exposure.businessCriticality"]),
      compensatingControls: listAt(sent, ["exposure.compensatingControls"]),
    },
  };
}
