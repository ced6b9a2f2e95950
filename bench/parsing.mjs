import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { root } from "../scripts/steps/root.mjs";
import { compare, interleave } from "./kit/measure.mjs";
import { row } from "./kit/rows.mjs";

export const title = "Parsing files for the code index, against the bare syntax tree of the same files";

/** Processor time of one thread; the packages of this repository are the material. */
const rounds = 3;
const mostMegabytes = 4;

export async function run() {
  const { parseFile } = await import(join(root, "dist", "codeindex", "parse", "parse-file.js"));
  const rows = [];
  for (const [ending, grammar] of [
    [".ts", "typescript"],
    [".js", "javascript"],
  ]) {
    const files = readMaterial(join(root, "node_modules"), ending);
    const parse = await openGrammar(grammar);
    const megabytes = files.reduce((sum, { bytes }) => sum + bytes.length, 0) / 1e6;
    const measure = (work) => async () => {
      const before = process.cpuUsage();
      for (const file of files) await work(file);
      const { user, system } = process.cpuUsage(before);
      return { perSecond: megabytes / ((user + system) / 1e6) };
    };
    const results = await interleave(rounds, {
      facts: measure(({ path, bytes }) => parseFile(path, bytes)),
      tree: measure(({ bytes }) => parse(bytes.toString("utf8"))),
      layout: measure(({ bytes }) => parseFile("a.kt", bytes)),
      names: measure(({ bytes }) => countNames(bytes.toString("utf8"))),
    });
    const facts = compare(results.facts, results.tree, "perSecond");
    const layout = compare(results.layout, results.names, "perSecond");
    rows.push(
      row({
        what: `${grammar}: chunks and all facts`,
        ...facts,
        unit: "MB/s",
        peer: "syntax tree alone",
        aim: { atLeast: 2.5 },
      }),
      row({
        what: `${grammar}: chunks by layout`,
        ...layout,
        unit: "MB/s",
        peer: "every name of every line",
        aim: { atLeast: 10 },
      }),
    );
  }
  return rows;
}

function readMaterial(folder, ending) {
  const files = [];
  let size = 0;
  const walk = (dir) => {
    for (const entry of readdirSync(dir, { withFileTypes: true })) {
      if (size > mostMegabytes * 1e6) return;
      const path = join(dir, entry.name);
      if (entry.isDirectory()) walk(path);
      if (!entry.isFile() || !entry.name.endsWith(ending) || entry.name.includes(".min.")) continue;
      const bytes = readFileSync(path);
      if (bytes.length > 200_000) continue;
      files.push({ path, bytes });
      size += bytes.length;
    }
  };
  walk(folder);
  return files;
}

async function openGrammar(name) {
  const { Language, Parser } = await import("web-tree-sitter");
  const { resolve } = createRequire(import.meta.url);
  await Parser.init();
  const parser = new Parser();
  parser.setLanguage(await Language.load(resolve(`@vscode/tree-sitter-wasm/wasm/tree-sitter-${name}.wasm`)));
  return (text) => parser.parse(text).delete();
}

function countNames(text) {
  let count = 0;
  for (const line of text.split("\n")) count += line.match(/[A-Za-z_]\w*/g)?.length ?? 0;
  return count;
}
