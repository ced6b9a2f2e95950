import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";

const root = join(import.meta.dirname, "../..");

interface Outcome {
  code: number;
  lines: string[];
}

/** Runs the real command on another tree. */
function gen(target: string, ...options: string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(process.execPath, [join(root, "scripts/gen.mjs"), "--root", target, ...options], (error, stdout) => {
      const code = typeof error?.code === "number" ? error.code : error ? 1 : 0;
      resolve({ code, lines: stdout.trim().split("\n") });
    });
  });
}

/** A tree with everything as it should be. */
async function freshTree(): Promise<string> {
  const target = mkdtempSync(join(tmpdir(), "crewdeck-gen-"));
  onTestFinished(() => rmSync(target, { recursive: true, force: true }));
  cpSync(join(root, "package.json"), join(target, "package.json"));
  mkdirSync(join(target, "contracts/released"), { recursive: true });
  writeFileSync(join(target, "contracts/released/contract.json"), emptyRelease);
  expect(await gen(target)).toMatchObject({ code: 0 });
  return target;
}

const emptyRelease = JSON.stringify({ schemaVersion: "0.0.0", tools: {}, errors: {}, events: {} });
const isUpToDate = { code: 0, lines: [expect.stringMatching(/^\d+ files are up to date$/)] };

/** The first run may have to build; the others find it built. */
beforeAll(async () => {
  await gen(root, "--check");
}, 240_000);

test("[CT21] the check is content with what was just written", async () => {
  expect(await gen(await freshTree(), "--check")).toEqual(isUpToDate);
});

test("[CT21, CT22] the check names what is wrong and touches nothing; writing repairs it", async () => {
  const target = await freshTree();
  const drifted = join(target, "contracts/agent_get.json");
  const stale = join(target, "docs/tools/agent_fly.md");
  writeFileSync(drifted, "{}\n");
  writeFileSync(stale, "# agent_fly\n");
  rmSync(join(target, "docs/errors.md"));

  expect(await gen(target, "--check")).toEqual({
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

  expect(await gen(target)).toMatchObject({ code: 0 });
  expect(existsSync(stale)).toBe(false);
  expect(await gen(target, "--check")).toEqual(isUpToDate);
});

test("[CT22] only a release changes the released set", async () => {
  const target = await freshTree();
  const released = join(target, "contracts/released/contract.json");
  expect(readFileSync(released, "utf8")).toBe(emptyRelease);

  expect(await gen(target, "--release")).toMatchObject({ code: 0 });

  const set = JSON.parse(readFileSync(released, "utf8")) as { tools: Record<string, unknown> };
  expect(Object.keys(set.tools)).toContain("agent_register");
  expect(await gen(target, "--check")).toEqual(isUpToDate);
});

test("[CT23] the check fails when the package has another version", async () => {
  const target = await freshTree();
  writeFileSync(join(target, "package.json"), JSON.stringify({ version: "99.0.0" }));
  const { code, lines } = await gen(target, "--check");
  expect(code).toBe(1);
  expect(lines[0]).toMatch(/^toolVersion is \S+ in src\/contract\/versions\.ts and 99\.0\.0 in package\.json$/);
});

test("[CT34] the check fails when a break is due that the version does not say, names it, and nothing is released", async () => {
  const target = await freshTree();
  await gen(target, "--release");
  const released = join(target, "contracts/released/contract.json");
  const set = JSON.parse(readFileSync(released, "utf8")) as {
    schemaVersion: string;
    tools: Record<string, { input: { properties: Record<string, unknown> } }>;
  };
  const { input } = set.tools["agent_get"] ?? { input: { properties: {} } };
  input.properties["nickname"] = { type: "string" };
  writeFileSync(released, JSON.stringify(set));

  const { code, lines } = await gen(target, "--check");

  const [major = 0] = set.schemaVersion.split(".").map(Number);
  expect({ code, lines: lines.slice(0, 2) }).toEqual({
    code: 1,
    lines: [
      `schemaVersion is ${set.schemaVersion}, ${major + 1}.0.0 is due after ${set.schemaVersion}:`,
      "  major: tool agent_get input.nickname is gone",
    ],
  });
  expect(await gen(target, "--release")).toMatchObject({ code: 1 });
  expect(JSON.parse(readFileSync(released, "utf8"))).toEqual(set);
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
