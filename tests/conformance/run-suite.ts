import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export type Revision = "2025-11-25" | "2026-07-28";

/** What became of one requirement set. */
export interface SuiteOutcome {
  readonly exitCode: number | null;
  /** How many scenarios the revision requires of a server, and how many of them passed without a warning. */
  readonly required: number;
  readonly passed: number;
  /** What failed or was warned about in required scenarios, to be read by a person. */
  readonly complaints: readonly string[];
  /** Scenarios that passed too, though the suite does not score them. */
  readonly extra: readonly string[];
}

interface Check {
  readonly id: string;
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  readonly errorMessage?: string;
}

const packageDir = fileURLToPath(new URL("../../node_modules/@modelcontextprotocol/conformance/", import.meta.url));
const shim = new URL("node20-shim.mjs", import.meta.url).href;

/** Runs the official suite's server scenarios of one revision against an address on this machine. */
export async function runSuite(url: string, revision: Revision, signal: AbortSignal): Promise<SuiteOutcome> {
  const folder = mkdtempSync(join(tmpdir(), "crewdeck-conformance-"));
  try {
    const exitCode = await runProgram(["server", "--url", url, "--requirements", revision, "-o", folder], signal);
    return judge(exitCode, readRequired(revision), readChecks(folder));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function runProgram(args: readonly string[], signal: AbortSignal): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const command = ["--import", shim, join(packageDir, "dist/index.js"), ...args];
    const child = spawn(process.execPath, command, { stdio: ["ignore", "ignore", "inherit"], signal });
    child.on("error", reject);
    child.on("exit", resolve);
  });
}

/** The set is a list under `server:` in the suite's own file. */
function readRequired(revision: Revision): string[] {
  const lines = readFileSync(join(packageDir, "requirements", `${revision}.yaml`), "utf8").split("\n");
  const start = lines.indexOf("server:") + 1;
  const length = lines.slice(start).findIndex((line) => !line.startsWith("  - "));
  return lines.slice(start, start + length).map((line) => line.slice("  - ".length).trim());
}

/** Each scenario leaves a folder `server-<name>-<time>` with its checks. */
function readChecks(folder: string): Map<string, Check[]> {
  const finished = readdirSync(folder).filter((name) => existsSync(join(folder, name, "checks.json")));
  return new Map(
    finished.map((name) => [
      name.replace(/^server-/, "").replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, ""),
      JSON.parse(readFileSync(join(folder, name, "checks.json"), "utf8")) as Check[],
    ]),
  );
}

function judge(exitCode: number | null, required: string[], results: Map<string, Check[]>): SuiteOutcome {
  const checksOf = (scenario: string) => results.get(scenario) ?? [];
  const isGood = (scenario: string) =>
    checksOf(scenario).some(({ status }) => status === "SUCCESS") && !checksOf(scenario).some(isComplaint);
  return {
    exitCode,
    required: required.length,
    passed: required.filter(isGood).length,
    complaints: required.flatMap((scenario) => describeComplaints(scenario, checksOf(scenario))),
    extra: [...results.keys()].filter((scenario) => !required.includes(scenario) && isGood(scenario)).sort(),
  };
}

const isComplaint = ({ status }: Check): boolean => status === "FAILURE" || status === "WARNING";

function describeComplaints(scenario: string, checks: readonly Check[]): string[] {
  if (checks.length === 0) return [`${scenario}: left no result`];
  return checks.filter(isComplaint).map((check) => `${scenario}: ${check.id}: ${check.errorMessage ?? check.status}`);
}
