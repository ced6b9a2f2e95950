import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { gunzipSync } from "node:zlib";
import { Language, Parser, Query } from "web-tree-sitter";
import type { Grammar } from "../languages.ts";
import { cpp, csharp, java } from "./c-family.ts";
import { javascript, typescript } from "./ecmascript.ts";
import { go, rust } from "./go-and-rust.ts";
import { python } from "./python.ts";
import { bash, css, php, ruby } from "./scripts.ts";
import type { Syntax } from "./syntax.ts";

export interface LoadedGrammar {
  readonly parser: Parser;
  readonly query: Query;
  readonly syntax: Syntax;
}

const syntaxes: Readonly<Record<Grammar, Syntax>> = {
  ...{ typescript, tsx: typescript, javascript, python, go, rust, java, "c-sharp": csharp, cpp, php, ruby, bash, css },
};

const loading = new Map<Grammar, Promise<LoadedGrammar>>();
let starting: Promise<void> | undefined;

/** A grammar is read when the first file needs it, once for each thread. */
export function loadGrammar(grammar: Grammar): Promise<LoadedGrammar> {
  const known = loading.get(grammar);
  if (known) return known;
  const loaded = load(grammar);
  loading.set(grammar, loaded);
  return loaded;
}

async function load(grammar: Grammar): Promise<LoadedGrammar> {
  starting ??= Parser.init({ wasmBinary: readWasm("web-tree-sitter", "web-tree-sitter/web-tree-sitter.wasm") });
  await starting;
  const name = `tree-sitter-${grammar}`;
  const language = await Language.load(readWasm(name, `@vscode/tree-sitter-wasm/wasm/${name}.wasm`));
  const parser = new Parser();
  parser.setLanguage(language);
  const syntax = syntaxes[grammar];
  return { parser, query: new Query(language, syntax.query), syntax };
}

/** What is published has them packed in a folder beside the program; a clone has the packages. */
function readWasm(name: string, inPackage: string): Uint8Array {
  const packed = new URL(`./grammars/${name}.wasm.gz`, import.meta.url);
  if (existsSync(packed)) return gunzipSync(readFileSync(packed));
  return readFileSync(createRequire(import.meta.url).resolve(inPackage));
}
