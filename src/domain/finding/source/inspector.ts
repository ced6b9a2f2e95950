import { type Draft, scannerOf } from "./draft.ts";
import { isObject, listAt, numberAt, textAt, valueAt } from "./pick.ts";

/** A finding of Amazon Inspector, as its interface lists it or as an event carries it. */
export function readInspector(sent: unknown): Draft {
  const detail = valueAt(sent, "detail");
  const finding = isObject(detail) ? detail : sent;
  const details = valueAt(finding, "packageVulnerabilityDetails");
  const vulnId = textAt(details, ["vulnerabilityId"]);
  const packages = arrayAt(details, "vulnerablePackages");
  const [first] = packages;
  const [resource] = arrayAt(finding, "resources");
  return {
    alertKey: textAt(finding, ["findingArn"], 2_048),
    scanner: scannerOf(textAt(finding, ["status"]), { active: "open", closed: "fixed", suppressed: "dismissed" }, null),
    vuln: {
      vulnId,
      cve: vulnId !== null && /^CVE-/i.test(vulnId) ? vulnId : null,
      title: textAt(finding, ["title"]),
      description: textAt(finding, ["description"], 20_000),
      severity: textAt(finding, ["severity"]),
      cvss: numberAt(finding, ["inspectorScore"]) ?? numberAt(arrayAt(details, "cvss")[0], ["baseScore"]),
      cwe: listAt(finding, ["codeVulnerabilityDetails.cwes"]),
      references: [...new Set([...listAt(details, ["referenceUrls"]), ...listAt(details, ["sourceUrl"])])],
    },
    package: {
      name: textAt(first, ["name"]),
      ecosystem: textAt(first, ["packageManager"]),
      installedVersion: textAt(first, ["version"]),
      fixedVersion: textAt(first, ["fixedInVersion"]),
      manifestPath: textAt(first, ["filePath"]),
    },
    asset: {
      id: textAt(resource, ["id"], 2_048),
      type: textAt(resource, ["type"]),
      name: textAt(resource, [
        "details.awsEcrContainerImage.repositoryName",
        "details.awsLambdaFunction.functionName",
        "tags.Name",
      ]),
      region: textAt(resource, ["region"]),
      account: textAt(finding, ["awsAccountId"]),
    },
    exposure: {
      internetExposed: textAt(finding, ["type"]) === "NETWORK_REACHABILITY" ? true : null,
    },
    warnings: packages.length > 1 ? [`The finding names ${packages.length} packages; the first one is kept.`] : [],
  };
}

function arrayAt(from: unknown, path: string): readonly unknown[] {
  const value = valueAt(from, path);
  return Array.isArray(value) ? value : [];
}
