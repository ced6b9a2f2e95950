import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../scripts/steps/root.mjs";
import { makeFolder, readToken } from "./kit/homes.mjs";
import { HttpClient } from "./kit/http-client.mjs";
import { residentMb } from "./kit/memory.mjs";
import { startServer } from "./kit/programs.mjs";
import { row } from "./kit/rows.mjs";

export const title = "10,000 findings of a scanner, imported twice";

const count = 10_000;

export async function run() {
  const home = makeFolder();
  const inputPath = join(makeFolder(), "alerts.jsonl");
  writeFileSync(inputPath, Array.from({ length: count }, (_, number) => JSON.stringify(alertOf(number))).join("\n"));
  const server = await startServer(home);
  const client = new HttpClient(server.url, readToken(home));
  const before = residentMb(server.child.pid);
  const ingest = async () => {
    const startedAt = performance.now();
    const answer = await client.callTool("triage_ingest", { repoPath: root, source: "dependabot", inputPath });
    return { ...answer, seconds: (performance.now() - startedAt) / 1e3 };
  };
  const first = await ingest();
  const second = await ingest();
  const after = residentMb(server.child.pid);
  const listed = await client.callTool("finding_list", {});
  const stored = listed.counts.reduce((sum, one) => sum + one.count, 0);
  client.close();
  await server.end();
  if (JSON.stringify(first.recordIds) !== JSON.stringify(second.recordIds))
    throw new Error("other ids the second time");
  return [
    row({ what: "first import", value: first.seconds, unit: "s", aim: { atMost: 30 } }),
    row({ what: "the same again", value: second.seconds, unit: "s", aim: { atMost: 30 } }),
    row({ what: "findings stored afterwards", value: stored, unit: "findings", aim: { atMost: count } }),
    row({ what: "memory of the server, more than before", value: after - before, unit: "MB", aim: { atMost: 300 } }),
  ];
}

/** An alert as GitHub describes it. */
const alertOf = (number) => ({
  number,
  state: "open",
  dependency: {
    package: { ecosystem: "npm", name: `package-${number % 500}` },
    manifest_path: `apps/${number % 40}/package-lock.json`,
    scope: "runtime",
  },
  security_advisory: {
    ghsa_id: `GHSA-${number % 900}`,
    cve_id: `CVE-2026-${1_000 + (number % 900)}`,
    summary: `A value of package-${number % 500} is read past its end`,
    description: "Whoever sends a crafted message makes the parser read past the end of its input. ".repeat(8),
    severity: ["low", "medium", "high", "critical"][number % 4],
    references: [{ url: `https://example.com/advisories/${number % 900}` }],
    cvss: { vector_string: "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H", score: 7.5 },
    cwes: [{ cwe_id: "CWE-125", name: "Out-of-bounds read" }],
  },
  security_vulnerability: {
    package: { ecosystem: "npm", name: `package-${number % 500}` },
    severity: "high",
    vulnerable_version_range: "< 2.0.0",
    first_patched_version: { identifier: "2.0.0" },
  },
});
