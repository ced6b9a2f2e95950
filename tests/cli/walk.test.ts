import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { ensureBuilt, openHome, programFile, type TestHome } from "./program.ts";

beforeAll(ensureBuilt);

const root = fileURLToPath(new URL("../..", import.meta.url));

interface Step {
  readonly command: string;
  /** What it prints, as the text has it; `…` stands for anything. */
  readonly expected: string;
}

/** Every command of every console block, in the order of the text. */
function stepsOf(document: string): Step[] {
  const blocks = [...document.matchAll(/^```console\n([\s\S]*?)^```$/gm)].map(([, block = ""]) => block);
  return blocks
    .flatMap((block) => block.split(/^\$ /m).slice(1))
    .map((step) => {
      const end = step.indexOf("\n");
      return { command: step.slice(0, end), expected: step.slice(end + 1) };
    });
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
  const steps = stepsOf(readFileSync(join(root, file), "utf8"));
  expect(steps.length).toBeGreaterThan(5);
  const printed = await walk(openHome(), steps);
  expect(printed).toHaveLength(steps.length);
  for (const [at, { command, expected }] of steps.entries()) {
    expect((printed[at] ?? "").trim(), command).toMatch(patternOf(expected));
  }
});
