import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { homeAt, readCredentials } from "../../src/adapters/home.ts";
import { ensureBuilt } from "../cli/program.ts";

const run = promisify(execFile);
const root = resolve(import.meta.dirname, "../..");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  readonly files: string[];
  readonly dependencies: Record<string, string>;
  readonly devDependencies: Record<string, string>;
};

beforeAll(ensureBuilt);

test("[RE30] every package has an exact version, and one alone is installed with Crewdeck", () => {
  const versions = Object.values({ ...manifest.dependencies, ...manifest.devDependencies });
  expect(versions.filter((version) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
  expect(Object.keys(manifest.dependencies)).toEqual(["@photostructure/sqlite"]);
});

test("[RE31, RE96, CT24] what is published works with nothing but its dependency, in less than 50 MB and without install scripts", async () => {
  const dir = mkdtempSync(join(tmpdir(), "crewdeck-package-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const published = manifest.files.filter((file) => !file.endsWith(".md") && !file.startsWith("!"));
  for (const name of [...published, "package.json", "package-lock.json"]) {
    cpSync(join(root, name), join(dir, name), { recursive: true, filter: (path) => basename(path) !== "compiled" });
  }
  await run("npm", ["ci", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: dir });
  expect(sizeOf(join(dir, "node_modules"))).toBeLessThan(50 * 1024 * 1024);
  const home = join(dir, "home");
  const crewdeck = (...args: string[]) =>
    run(process.execPath, [join(dir, "bin", "crewdeck.js"), ...args, "--home", home], { cwd: dir });
  try {
    await crewdeck("serve", "--background", "--port", "0");
    const { stdout } = await crewdeck("call", "agent_register", "--name", "Ada", "--runtime", "codex");
    expect(JSON.parse(stdout)).toMatchObject({ name: "Ada", status: "online" });
    expect((await crewdeck("call", "template_list")).stdout).toContain("builtin:feature");
    const described = await readFrom(home, "/openapi.json");
    expect(described).toBe(readFileSync(join(root, "dist/openapi.json"), "utf8"));
  } finally {
    await crewdeck("stop");
  }
  await expectStartsWhateverIsKept(dir, () => crewdeck("--version"));
});

async function expectStartsWhateverIsKept(dir: string, start: () => Promise<unknown>): Promise<void> {
  const compiled = join(dir, "dist/program/compiled");
  const kept = readdirSync(compiled, { recursive: true, encoding: "utf8" }).filter((name) =>
    /cli-[\w-]{8}$/.test(name),
  );
  expect(kept).toHaveLength(1);
  const file = join(compiled, kept[0] ?? "");
  const sound = readFileSync(file);
  writeFileSync(file, Buffer.from(sound).fill(0, sound.length / 2));
  await start();
  // What was damaged is made anew.
  expect(
    readFileSync(file)
      .subarray(sound.length / 2)
      .some((byte) => byte > 0),
  ).toBe(true);
  rmSync(compiled, { recursive: true });
  writeFileSync(compiled, "no folder");
  await start();
}

test("[RE38] what a start does not need is not loaded by it", () => {
  const loaded = filesLoadedBy("main.js");
  expect(loaded.size).toBeGreaterThan(5);
  expect([...loaded].filter((file) => /^(mcp-(?!connection-)|o200k_base-|postgres-)/.test(file))).toEqual([]);
  const names = readdirSync(program).join(" ");
  for (const name of ["mcp-endpoint-", "o200k_base-", "postgres-"]) expect(names).toContain(name);
});

test("[RE53] what is loaded with code that was kept has no import(), which would fail there", () => {
  const files = [...filesLoadedBy("main.js"), ...filesLoadedBy("cli.js"), ...filesLoadedBy("bridge.js")];
  const later = readdirSync(program).filter((name) => /^(mcp|pipe|pino|postgres|parse-file|stdio)-.*\.js$/.test(name));
  expect(later.length).toBeGreaterThan(5);
  const texts = [...files, ...later].map((name) => readFileSync(join(program, name), "utf8"));
  expect(texts.flatMap((text) => text.match(/\bimport\("[^"]*"\)/g) ?? [])).toEqual([]);
});

const program = join(root, "dist/program");

/** A file of the built program with all that it requires before it runs. */
function filesLoadedBy(name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found;
  found.add(name);
  const text = readFileSync(join(program, name), "utf8");
  for (const [, file = ""] of text.matchAll(/^[^\s/*][^"\n]*\brequire\("\.\/([^"]+)"\)[^"\n]*;$/gm))
    filesLoadedBy(file, found);
  return found;
}

async function readFrom(home: string, path: string): Promise<string> {
  const { url } = JSON.parse(readFileSync(join(home, "server.json"), "utf8")) as { url: string };
  const token = readCredentials(homeAt(home)).default;
  return (await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } })).text();
}

function sizeOf(dir: string): number {
  return readdirSync(dir, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(dir, entry.name);
    return sum + (entry.isDirectory() ? sizeOf(path) : (statSync(path, { throwIfNoEntry: false })?.size ?? 0));
  }, 0);
}
