import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { BridgeProcess } from "../bridge/bridge-process.ts";
import { ensureBuilt, openHome, programFile, type TestHome } from "./program.ts";
import { promptsOf, type ReadmeAgent, ReadmeCrew } from "./readme-agents.ts";

beforeAll(ensureBuilt);

const root = fileURLToPath(new URL("../..", import.meta.url));

interface Step {
  readonly command: string;
  /** What it prints, as the text has it; `…` stands for anything. */
  readonly expected: string;
  /** Where in the text it stands. */
  readonly at: number;
}

/** Every command of every console block, in the order of the text. */
function stepsOf(document: string): Step[] {
  const blocks = [...document.matchAll(/^```console\n([\s\S]*?)^```$/gm)];
  return blocks.flatMap(({ 1: block = "", index: at }) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((step) => {
        const end = step.indexOf("\n");
        return { command: step.slice(0, end), expected: step.slice(end + 1), at };
      }),
  );
}

/** An agent as a client starts it, on the store that the commands use. */
async function startAgent(home: TestHome): Promise<ReadmeAgent> {
  const bridge = new BridgeProcess(home);
  await bridge.initialize();
  return {
    async call<T>(tool: string, args: Record<string, unknown> = {}) {
      const { result } = await bridge.call(tool, args);
      if (!result || result["isError"]) throw new Error(`${tool}: ${JSON.stringify(result)}`);
      return result["structuredContent"] as T;
    },
  };
}

const mark = "@@step";

/** Types the commands into one shell, as a reader would, and answers what each printed. */
async function walk(home: TestHome, steps: readonly Step[]): Promise<string[]> {
  const folder = join(home.dir, "..", "project");
  mkdirSync(folder, { recursive: true });
  const script = [
    "shopt -s expand_aliases",
    `crewdeck() { '${process.execPath}' '${programFile}' "$@"; }`,
    ...steps.map(({ command }) => `printf '${mark}\\n'\n${command.startsWith("alias ") ? ":" : command}`),
  ].join("\n");
  const file = join(folder, "walk.sh");
  writeFileSync(file, script);
  const child = spawn("bash", [file], { cwd: folder, env: home.env, stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
    });
  }
  await new Promise((resolve) => child.once("close", resolve));
  return printed.split(`${mark}\n`).slice(1);
}

/** White space between columns depends on what stands in them. */
const patternOf = (expected: string): RegExp =>
  new RegExp(
    `^${expected
      .trim()
      .split("…")
      .map((part) => part.replace(/[.*+?^${"$"}{}()|[\]\\]/g, "\\$&").replace(/\s+/g, "\\s+"))
      .join("[\\s\\S]*")}$`,
  );

test.each(["README.md", "docs/which-tools.md"])("[CL93] every command in %s does what the text says", async (file) => {
  const document = readFileSync(join(root, file), "utf8");
  const steps = stepsOf(document);
  expect(steps.length).toBeGreaterThan(5);
  const home = openHome();
  const crew = new ReadmeCrew(() => startAgent(home));
  let done = 0;
  for (const prompt of [...promptsOf(document), undefined]) {
    const before = prompt === undefined ? steps.slice(done) : steps.slice(done).filter(({ at }) => at < prompt.at);
    const printed = before.length === 0 ? [] : await walk(home, before);
    expect(printed).toHaveLength(before.length);
    for (const [at, { command, expected }] of before.entries()) {
      expect((printed[at] ?? "").trim(), command).toMatch(patternOf(expected));
    }
    done += before.length;
    if (prompt) await crew.hear(prompt);
  }
});
