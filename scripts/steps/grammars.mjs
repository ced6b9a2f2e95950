import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

/** As `src/codeindex/parse/syntax/grammar.ts` asks for them. */
const grammars = [
  ...[
    "typescript",
    "tsx",
    "javascript",
    "python",
    "go",
    "rust",
    "java",
    "c-sharp",
    "cpp",
    "php",
    "ruby",
    "bash",
    "css",
  ],
].map((name) => `tree-sitter-${name}`);

/** Puts the parsers beside the program, packed: 20 MB of WebAssembly become less than 2. */
export async function packGrammars(root, folder) {
  const packages = join(root, "node_modules");
  const files = [
    join(packages, "web-tree-sitter", "web-tree-sitter.wasm"),
    ...grammars.map((name) => join(packages, "@vscode", "tree-sitter-wasm", "wasm", `${name}.wasm`)),
  ];
  mkdirSync(folder, { recursive: true });
  await Promise.all(
    files.map(async (file) => {
      const name = file.split(/[\\/]/).at(-1);
      writeFileSync(join(folder, `${name}.gz`), await promisify(gzip)(readFileSync(file)));
    }),
  );
}
