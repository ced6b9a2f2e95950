import { execFile, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";
import { until } from "../../src/testing/waiting.ts";

const repository = fileURLToPath(new URL("../..", import.meta.url));

/** The program under test: this repository's own, or an installed one that the environment names. */
const installed = process.env["CREWDECK_TEST_PACKAGE"];
export const programFile = join(installed ?? repository, "bin", "crewdeck.js");

let building: Promise<unknown> | undefined;

/** Builds the program unless it is built from this very source; looked at once for all files of a process. */
export async function ensureBuilt(): Promise<void> {
  if (installed === undefined) building ??= build();
  await building;
}

function build(): Promise<unknown> {
  const script =
    'import("./scripts/steps/output.mjs").then(async (output) => process.exit((await output.ensureOutput(process.cwd())) ? 0 : 1))';
  return promisify(execFile)(process.execPath, ["-e", script], { cwd: repository });
}

export interface TestHome {
  readonly dir: string;
  readonly env: NodeJS.ProcessEnv;
}

/** A home of its own, on any free port, cut off from the user's own settings. Whatever runs in it ends with the test. */
export function openHome(more: NodeJS.ProcessEnv = {}): TestHome {
  const { home, close } = createHome(more);
  onTestFinished(close);
  return home;
}

/** The same for several tests; the caller closes it. */
export function createHome(more: NodeJS.ProcessEnv = {}): { home: TestHome; close(): Promise<void> } {
  const root = mkdtempSync(join(tmpdir(), "crewdeck-home-"));
  const dir = join(root, "home");
  const { PATH, TMPDIR } = process.env;
  return {
    home: { dir, env: { PATH, TMPDIR, HOME: root, CREWDECK_HOME: dir, MCP_SERVER_PORT: "0", ...more } },
    async close() {
      await until(() => {
        const pids = processesOf(dir);
        for (const pid of pids) endProcess(pid);
        return pids.length === 0;
      });
      rmSync(root, { recursive: true, force: true });
    },
  };
}

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one command to its end. */
export function crewdeck(home: TestHome, args: readonly string[], input?: string): Promise<Outcome> {
  const child = spawn(process.execPath, [programFile, ...args], { env: home.env, stdio: "pipe" });
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, stdout, stderr }));
  });
}

/** The answer of a command that must succeed, as JSON. */
export async function crewdeckJson<T = Record<string, unknown>>(home: TestHome, ...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await crewdeck(home, [...args, "--json"]);
  if (code !== 0) throw new Error(`crewdeck ${args.join(" ")} ended with ${code}: ${stdout}${stderr}`);
  return JSON.parse(stdout) as T;
}

/** The token that a home's first start has written down. */
export const tokenOf = (home: TestHome): string =>
  (JSON.parse(readFileSync(join(home.dir, "credentials.json"), "utf8")) as { default: string }).default;

/** Every process that was started for this home. */
export function processesOf(dir: string): number[] {
  return readdirSync("/proc").flatMap((name) => {
    const pid = Number(name);
    return Number.isInteger(pid) && pid !== process.pid && commandOf(pid).includes(dir) ? [pid] : [];
  });
}

/** Servers among them, told by their command. */
export const serversOf = (dir: string): number[] => processesOf(dir).filter((pid) => commandOf(pid).includes("serve"));

function commandOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  } catch {
    return [];
  }
}

export function endProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}
