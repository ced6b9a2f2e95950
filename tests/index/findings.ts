import { writeFileSync } from "node:fs";
import { join } from "node:path";

type Json = Record<string, unknown>;

/** An alert as GitHub's REST interface describes it. */
export const dependabotAlert = (number: number, more: Json = {}): Json => ({
  number,
  state: "open",
  dependency: {
    package: { ecosystem: "npm", name: "@acme/left-pad" },
    manifest_path: "web/package-lock.json",
    scope: "runtime",
  },
  security_advisory: {
    ghsa_id: "GHSA-aaaa-bbbb-cccc",
    cve_id: "CVE-2026-1000",
    summary: "Padding may never end",
    description: "A negative width makes left-pad loop.",
    severity: "high",
    identifiers: [
      { type: "GHSA", value: "GHSA-aaaa-bbbb-cccc" },
      { type: "CVE", value: "CVE-2026-1000" },
    ],
    references: [{ url: "https://example.com/advisory" }],
    cvss: { vector_string: "CVSS:3.1/AV:N", score: 7.5 },
    cwes: [{ cwe_id: "CWE-835", name: "Infinite loop" }],
  },
  security_vulnerability: {
    package: { ecosystem: "npm", name: "@acme/left-pad" },
    severity: "high",
    vulnerable_version_range: "< 1.3.1",
    first_patched_version: { identifier: "1.3.1" },
  },
  url: `https://api.github.com/repos/acme/shop/dependabot/alerts/${number}`,
  html_url: `https://github.com/acme/shop/security/dependabot/${number}`,
  created_at: "2026-11-01T10:00:00Z",
  assignees: [],
  ...more,
});

/** A finding as Amazon Inspector's ListFindings describes it. */
export const inspectorFinding = (id: string): Json => ({
  findingArn: `arn:aws:inspector2:eu-west-1:111122223333:finding/${id}`,
  awsAccountId: "111122223333",
  type: "PACKAGE_VULNERABILITY",
  title: "CVE-2026-2000 - openssl",
  description: "A buffer is read past its end.",
  severity: "CRITICAL",
  status: "ACTIVE",
  inspectorScore: 9.8,
  packageVulnerabilityDetails: {
    vulnerabilityId: "CVE-2026-2000",
    source: "NVD",
    sourceUrl: "https://nvd.nist.gov/vuln/detail/CVE-2026-2000",
    cvss: [{ baseScore: 9.1, scoringVector: "CVSS:3.1/AV:N", version: "3.1", source: "NVD" }],
    referenceUrls: ["https://example.com/openssl"],
    relatedVulnerabilities: [],
    vulnerablePackages: [
      { name: "openssl", version: "3.0.1", packageManager: "OS", fixedInVersion: "3.0.2", arch: "X86_64", epoch: 0 },
      { name: "libssl3", version: "3.0.1", packageManager: "OS", fixedInVersion: "3.0.2", arch: "X86_64", epoch: 0 },
    ],
  },
  resources: [
    {
      type: "AWS_ECR_CONTAINER_IMAGE",
      id: "arn:aws:ecr:eu-west-1:111122223333:repository/shop/sha256:0",
      region: "eu-west-1",
      partition: "aws",
      details: { awsEcrContainerImage: { repositoryName: "shop", imageHash: "sha256:0", registry: "111122223333" } },
    },
  ],
});

/** Writes reports into a file of the repository and answers its name. */
export function writeReports(folder: string, content: unknown, name = "findings.json"): string {
  writeFileSync(join(folder, name), typeof content === "string" ? content : JSON.stringify(content));
  return name;
}
