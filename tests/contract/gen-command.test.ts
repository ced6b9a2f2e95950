import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { JsonSchema } from "../../src/contract/json-schema.ts";
import type { ToolDefinition } from "../../src/contract/projections/definition.ts";
import { contractSet, generatedFiles } from "../../src/contract/projections/files.ts";
import { type ContractSet, compareSets, isAtLeast } from "../../src/contract/semver.ts";
import { schemaVersion } from "../../src/contract/versions.ts";
import { deriveOpenApi } from "../../src/main/openapi.ts";
import { parts } from "./parts.ts";

const root = join(import.meta.dirname, "../..");

interface Outcome {
  code: number;
  lines: string[];
}

/** Runs the real command on another tree. */
function runGen(target: string, ...options: string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(process.execPath, [join(root, "scripts/gen.mjs"), "--root", target, ...options], (error, stdout) => {
      const code = typeof error?.code === "number" ? error.code : error ? 1 : 0;
      resolve({ code, lines: stdout.trim().split("\n") });
    });
  });
}

/** What the command does, without the second and a half in which a process of its own derives it all again. */
const { generate: gen } = (await import(join(root, "scripts/gen/generate.mjs"))) as {
  generate: (target: string, options: readonly string[]) => Promise<Outcome>;
};

const releasedIn = (target: string): string => join(target, "contracts/released/contract.json");
const readReleased = (target: string): ContractSet =>
  JSON.parse(readFileSync(releasedIn(target), "utf8")) as ContractSet;
const writeReleased = (target: string, set: ContractSet): void =>
  writeFileSync(releasedIn(target), JSON.stringify(set));

function toolOf(set: ContractSet, name: string): ToolDefinition {
  const tool = set.tools[name];
  if (!tool) throw new Error(`no tool is called ${name}`);
  return tool;
}

const derived = generatedFiles(parts);

/** A tree with everything as it should be, and what it released last. */
function freshTree(released: ContractSet = contractSet(parts.tools)): string {
  const target = mkdtempSync(join(tmpdir(), "crewdeck-gen-"));
  onTestFinished(() => rmSync(target, { recursive: true, force: true }));
  cpSync(join(root, "package.json"), join(target, "package.json"));
  mkdirSync(join(target, "contracts/released"), { recursive: true });
  for (const [path, text] of derived) {
    mkdirSync(dirname(join(target, path)), { recursive: true });
    writeFileSync(join(target, path), text);
  }
  writeReleased(target, released);
  return target;
}

const emptyRelease: ContractSet = { schemaVersion: "0.0.0", tools: {}, errors: {}, events: {} };
const isUpToDate = { code: 0, lines: [expect.stringMatching(/^\d+ files are up to date$/)] };

/** The first run may have to build; the others find it built. */
beforeAll(async () => {
  await runGen(root, "--check");
});

test("[CT24] the build has put the OpenAPI document into dist, as the definitions give it", () => {
  expect(readFileSync(join(root, "dist/openapi.json"), "utf8")).toBe(deriveOpenApi());
});

test("[CT21] the check is content where everything is as it would be written", async () => {
  expect(await gen(freshTree(), ["--check"])).toEqual(isUpToDate);
});

test("[CT21, CT22] the check names what is wrong and touches nothing; writing repairs it", async () => {
  const target = freshTree();
  const drifted = join(target, "contracts/agent_get.json");
  const stale = join(target, "docs/tools/agent_fly.md");
  writeFileSync(drifted, "{}\n");
  writeFileSync(stale, "# agent_fly\n");
  rmSync(join(target, "docs/errors.md"));

  expect(await runGen(target, "--check")).toEqual({
    code: 1,
    lines: [
      "contracts/agent_get.json has drifted",
      "docs/errors.md is missing",
      "docs/tools/agent_fly.md is stale",
      "run `npm run gen`",
    ],
  });
  expect(readFileSync(drifted, "utf8")).toBe("{}\n");
  expect(existsSync(stale)).toBe(true);

  expect(await runGen(target)).toMatchObject({ code: 0 });
  expect(existsSync(stale)).toBe(false);
  expect(await gen(target, ["--check"])).toEqual(isUpToDate);
});

test("[CT22] only a release changes the released set", async () => {
  const target = freshTree(emptyRelease);
  const before = readFileSync(releasedIn(target), "utf8");
  expect(await gen(target, [])).toMatchObject({ code: 0 });
  expect(readFileSync(releasedIn(target), "utf8")).toBe(before);

  expect(await runGen(target, "--release")).toEqual({ code: 0, lines: [`${schemaVersion} is released`] });

  expect(readReleased(target)).toEqual(contractSet(parts.tools));
  expect(await gen(target, ["--check"])).toEqual(isUpToDate);
});

test("[CT26] a version that is released stands, unless it is to be replaced", async () => {
  const target = freshTree(contractSet(parts.tools));
  const before = readFileSync(releasedIn(target), "utf8");
  expect(await gen(target, ["--release"])).toEqual({ code: 0, lines: [`${schemaVersion} is released already`] });
  expect(readFileSync(releasedIn(target), "utf8")).toBe(before);

  const other = { ...contractSet(parts.tools), events: {} };
  writeReleased(target, other);
  expect(await gen(target, ["--release"])).toMatchObject({ code: 1 });
  expect(readReleased(target)).toEqual(other);

  expect(await gen(target, ["--release", "--replace"])).toEqual({ code: 0, lines: [`${schemaVersion} is released`] });
  expect(readReleased(target)).toEqual(contractSet(parts.tools));
});

test("[CT26] only the present version is replaced, never a later one", async () => {
  const newer = { ...contractSet(parts.tools), schemaVersion: `${Number(schemaVersion.split(".")[0]) + 1}.0.0` };
  const target = freshTree(newer);
  expect(await gen(target, ["--release", "--replace"])).toMatchObject({ code: 1 });
  expect(readReleased(target)).toEqual(newer);
});

test("[CT23] the check fails when the package has another version", async () => {
  const target = freshTree();
  writeFileSync(join(target, "package.json"), JSON.stringify({ version: "99.0.0" }));
  const { code, lines } = await gen(target, ["--check"]);
  expect(code).toBe(1);
  expect(lines[0]).toMatch(/^toolVersion is \S+ in src\/contract\/versions\.ts and 99\.0\.0 in package\.json$/);
});

describe("the version rule", () => {
  const now = contractSet(parts.tools);
  const [major = 0, minor = 0, patch = 0] = schemaVersion.split(".").map(Number);

  const changed = (name: string, change: Partial<ToolDefinition>): ContractSet => ({
    ...now,
    tools: { ...now.tools, [name]: { ...toolOf(now, name), ...change } },
  });
  const without = <T>(named: Readonly<Record<string, T>>, name: string): Record<string, T> =>
    Object.fromEntries(Object.entries(named).filter(([key]) => key !== name));

  const { input, summary } = toolOf(now, "agent_get");
  const nickname: JsonSchema = { type: "string" };
  const since: { what: string; released: ContractSet; due: string; reason: string }[] = [
    {
      what: "an argument is gone",
      released: changed("agent_get", { input: { ...input, properties: { ...input.properties, nickname } } }),
      due: `${major + 1}.0.0`,
      reason: "  major: tool agent_get input.nickname is gone",
    },
    {
      what: "a tool is new",
      released: { ...now, tools: without(now.tools, "agent_get") },
      due: `${major}.${minor + 1}.0`,
      reason: "  minor: tool agent_get is new",
    },
    {
      what: "a tool is described in other words",
      released: changed("agent_get", { summary: `${summary} Once.` }),
      due: `${major}.${minor}.${patch + 1}`,
      reason: "  patch: tool agent_get has another summary",
    },
  ];

  /** The version is still that of a release, from which the definitions differ by one change. */
  test.each(since)("[CT34] when $what, $due is due and the check fails under the released version", async (row) => {
    expect(await gen(freshTree(row.released), ["--check"])).toEqual({
      code: 1,
      lines: [
        `schemaVersion is ${schemaVersion}, ${row.due} is due after ${schemaVersion}:`,
        row.reason,
        expect.stringMatching(/^\d+ files are up to date$/),
      ],
    });
  });

  test("[CT34] a break that the version does not say is not released either", async () => {
    const released = { ...now, tools: { ...now.tools, agent_fly: toolOf(now, "agent_get") } };
    const target = freshTree(released);
    expect(await gen(target, ["--release"])).toMatchObject({ code: 1 });
    expect(readReleased(target)).toEqual(released);
  });

  test("[CT35] without a released set the check fails", async () => {
    const target = freshTree();
    rmSync(releasedIn(target));
    expect(await gen(target, ["--check"])).toMatchObject({
      code: 1,
      lines: ["contracts/released/contract.json is missing", expect.anything()],
    });
  });

  test("[CT35] the committed set is a whole one: the definitions of its version, of which none can go unnoticed", () => {
    const committed = readReleased(root);
    expect(isAtLeast(committed.schemaVersion, "1.0.0")).toBe(true);
    if (committed.schemaVersion === schemaVersion) expect(committed).toEqual(now);
    const names = [committed.tools, committed.errors, committed.events].map((named) => Object.keys(named));
    for (const kind of names) expect(kind.length).toBeGreaterThan(0);
    expect(compareSets(committed, { ...emptyRelease, schemaVersion })).toHaveLength(names.flat().length);
  });
});

test("[LS14] the listing loads where no package is installed", async () => {
  const folder = mkdtempSync(join(tmpdir(), "crewdeck-bare-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(join(root, "dist/contract"), join(folder, "contract"), { recursive: true });
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  const load = (file: string): Promise<number> =>
    new Promise((resolve) => {
      const source = `import { pathToFileURL } from "node:url"; await import(pathToFileURL(${JSON.stringify(join(folder, file))}));`;
      execFile(process.execPath, ["--input-type=module", "-e", source], { cwd: folder }, (error) =>
        resolve(error ? 1 : 0),
      );
    });
  expect(await load("contract/listing.js")).toBe(0);
  expect(await load("contract/projections/cli.js")).toBe(0);
  expect(await load("contract/door.js")).toBe(1);
});
