import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "../../src/testing/waiting.ts";
import { addFiles, copyFromRepository, plantTree, repository } from "./planted-tree.ts";

let root = "";
let home = "";
let remove: () => void = () => undefined;
const started = new Set<ChildProcess>();

/** The repository as somebody else would get it: what git knows of, and nothing that was installed or built. */
beforeAll(async () => {
  ({ root, remove } = plantTree());
  home = join(root, "home");
  const listed = await promisify(execFile)("git", ["ls-files", "-co", "--exclude-standard", "-z"], { cwd: repository });
  copyFromRepository(
    root,
    listed.stdout.split("\0").filter((path) => path !== "" && !path.startsWith("tests/")),
  );
});
afterAll(() => {
  for (const child of started) killGroup(child, "SIGKILL");
  remove();
});

interface Start {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  output(): string;
  progress(): string;
}

/** A process group of its own, as a terminal would make one for the command. */
function start(...args: string[]): Start {
  const child = spawn("npm", ["start", "--silent", "--", "--home", home, "--port", "0", ...args], {
    cwd: root,
    env: { ...process.env, CI: "true", BROWSER: "none" },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  started.add(child);
  let output = "";
  let progress = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    progress += text;
  });
  const ended = new Promise<number | null>((resolve) => {
    child.on("close", (code, signal) => {
      started.delete(child);
      resolve(code ?? (signal === "SIGINT" ? 130 : null));
    });
  });
  return { child, ended, output: () => output, progress: () => progress };
}

function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid !== undefined) process.kill(-pid, signal);
}

async function addressOf(run: Start): Promise<string> {
  const file = join(home, "server.json");
  let isOver = false;
  run.ended.then(() => {
    isOver = true;
  });
  await until(() => isOver || existsSync(file));
  if (isOver) throw new Error(`the server ended before it was ready:\n${run.progress()}\n${run.output()}`);
  return (JSON.parse(readFileSync(file, "utf8")) as { url: string }).url;
}

test("[RE1] before it is built every command says how it is built and started", async () => {
  const asked = promisify(execFile)(process.execPath, [join(root, "bin", "crewdeck.js"), "demo"]);
  const refused = await asked.then(
    () => undefined,
    (error: { code: number; stderr: string }) => error,
  );
  expect(refused?.code).toBe(1);
  expect(refused?.stderr).toContain(`Install, build and start it: npm --prefix ${root} start\n`);
  expect(refused?.stderr).toContain(`npm --prefix ${root} run build\n`);
});

test("[RE1, RE2, RE3, RE4, RE5] a fresh clone starts with one command, and a second start finds the first", async () => {
  const first = start();
  const url = await addressOf(first);
  expect((await fetch(`${url}/health`)).status).toBe(200);
  expect(first.progress()).toContain("installing packages…");
  expect(first.progress()).toContain("building…");
  await expect.poll(() => first.output()).toContain(url);

  const second = start();
  expect(await second.ended).toBe(0);
  expect(second.output()).toContain(url);
  expect(second.progress()).not.toMatch(/installing packages|building/);

  killGroup(first.child, "SIGINT");
  expect([0, 130]).toContain(await first.ended);
  await expect(fetch(`${url}/health`)).rejects.toThrow();
  expect(readdirSync(home)).not.toContain("server.json");
});

test("[RE5] an end that only npm is told of reaches the server too", async () => {
  const run = start();
  const url = await addressOf(run);
  run.child.kill("SIGTERM");
  await run.ended;
  await expect(fetch(`${url}/health`)).rejects.toThrow();
  expect(readdirSync(home)).not.toContain("server.json");
});

test("[RE2, RE3] a changed source is built again, and what the server says about its arguments is its last word", async () => {
  addFiles(root, { "src/contract/planted.ts": "export const planted = 1;\n" });
  const run = start("--no-such-option");
  expect(await run.ended).toBe(2);
  expect(run.progress()).toContain("building…");
  expect(run.progress()).not.toContain("installing packages…");
  expect(existsSync(join(root, "dist/contract/planted.js"))).toBe(true);
});
