import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { toolVersion } from "../../src/contract/versions.ts";
import { repository } from "./planted-tree.ts";

const read = (path: string): string => readFileSync(join(repository, path), "utf8");
const readJson = (path: string) => JSON.parse(read(path)) as Record<string, Record<string, unknown>>;

/** Markdown of the repository's own: the top folder and everything below docs. */
const documents = [
  ...readdirSync(repository).filter((name) => name.endsWith(".md")),
  ...readdirSync(join(repository, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join("docs", name)),
].sort();

/** Code is not prose: what looks like a link in it is none. */
const proseOf = (path: string): string => read(path).replaceAll(/```[\s\S]*?```|`[^`\n]*`/g, "");

test("[RE24] every link between documents leads to a file", () => {
  const broken = documents.flatMap((path) =>
    [...proseOf(path).matchAll(/\]\(([^)\s]+)\)/g)]
      .map((match) => match[1] ?? "")
      .filter((target) => !/^(https?:|mailto:|#)/.test(target))
      .map((target) => join(dirname(path), target.split("#")[0] ?? ""))
      .filter((target) => !existsSync(join(repository, target)))
      .map((target) => `${path} → ${target}`),
  );
  expect(broken).toEqual([]);
});

test("[RE24] every file that a document names in code exists", () => {
  const named = /`((?:src|scripts|tests|docs|bin|contracts)\/[\w./-]+\.(?:ts|mjs|js|md|json))`/g;
  const missing = documents
    .filter((path) => path !== "CHANGELOG.md")
    .flatMap((path) =>
      [...read(path).matchAll(named)]
        .map((match) => match[1] ?? "")
        .filter((target) => !existsSync(join(repository, target)))
        .map((target) => `${path} → ${target}`),
    );
  expect(missing).toEqual([]);
});

test.each([
  ["README.md", 200],
  ["ARCHITECTURE.md", 250],
  ["AGENTS.md", 150],
])("[RE25] %s has at most %i lines", (path, most) => {
  expect(read(path).split("\n").length - 1).toBeLessThanOrEqual(most);
});

test("[RE29] AGENTS.md names the nouns in the order of the fences", async () => {
  const fences = pathToFileURL(join(repository, "scripts/fences/nouns.mjs")).href;
  const { order } = (await import(fences)) as { order: string[] };
  const [, named = ""] = /^Nouns, lowest first: ([^.]*)\./m.exec(read("AGENTS.md")) ?? [];
  expect(named.split(/,\s+/)).toEqual(order);
});

test("[RE51] the glossary explains every noun", async () => {
  const { order } = (await import(join(repository, "scripts/fences/nouns.mjs"))) as { order: string[] };
  const explained = [...read("docs/glossary.md").matchAll(/^\| \*\*([a-z ]+)\*\*/gm)].map((match) => match[1]);
  expect(order.filter((noun) => !explained.includes(noun))).toEqual([]);
});

test("[RE26] package, lockfile, tools and changelog name one version", () => {
  const { version } = readJson("package.json");
  const lockfile = readJson("package-lock.json");
  expect({ lockfile: lockfile["version"], tools: toolVersion }).toEqual({ lockfile: version, tools: version });
  expect(read("CHANGELOG.md")).toContain(`## ${String(version)}`);
});

test("[RE27] every npm command in a document exists", () => {
  const scripts = Object.keys(readJson("package.json")["scripts"] ?? {});
  const builtIn = ["ci", "install", "start", "test", "link"];
  const unknown = documents.flatMap((path) =>
    [...read(path).matchAll(/\bnpm (?:run ([\w:-]+)|(start|test|ci|install|link)\b)/g)]
      .map((match) => match[1] ?? match[2] ?? "")
      .filter((name) => !scripts.includes(name) && !builtIn.includes(name))
      .map((name) => `${relative(".", path)}: npm run ${name}`),
  );
  expect(unknown).toEqual([]);
});

test("[RE27] every command of Crewdeck in a document exists", () => {
  const folder = "src/transports/cli/commands";
  const sources = readdirSync(join(repository, folder)).map((name) => read(join(folder, name)));
  const commands = sources.flatMap((source) => [...source.matchAll(/name: "([a-z]+)"/g)].map((match) => match[1]));
  const unknown = documents.flatMap((path) =>
    [...read(path).matchAll(/(?:`|^|node bin\/)crewdeck(?:\.js)? ([a-z]+)/gm)]
      .filter((match) => match[1] !== "help" && !commands.includes(match[1]))
      .map((match) => `${path}: crewdeck ${match[1]}`),
  );
  expect(unknown).toEqual([]);
});
