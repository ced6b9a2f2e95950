import { existsSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { listFiles } from "./files.mjs";

/** Stays a package of its own: it brings a native library for each platform. */
const native = ["@photostructure/sqlite"];

/** Packages that others try to load and do without; none of them is ever installed. */
const absent = ["pg-native", "pg-cloudflare", "bufferutil", "utf-8-validate"];

/** Packages that whoever wants them installs beside Crewdeck. */
const optional = ["onnxruntime-web"];

/** What Fastify would load for routes with schemas, of which we have none, and to be called without a port. */
const unreached = ["@fastify/ajv-compiler", "@fastify/fast-json-stringify-compiler", "light-my-request"];

/** What is started as a program; all else is loaded by these. */
export const entries = {
  bridge: "src/transports/bridge/main.ts",
  cli: "src/transports/cli/main.ts",
  hook: "src/transports/hook/main.ts",
  main: "src/main.ts",
  "parse-worker": "src/codeindex/parse/worker.ts",
  "sentence-worker": "src/adapters/vectors/sentence-worker.ts",
};

/**
 * Every source file as a module of its own, for scripts, tests and benches, which have the packages. Types are removed
 * and not checked: `npm run check` and `npm test` do that.
 */
export async function compileModules(root, folder) {
  const files = listFiles(root, "src").filter((path) => path.endsWith(".ts") && !isForOthers(path));
  await bundle(
    root,
    {
      input: Object.fromEntries(files.map((path) => [path.slice("src/".length, -".ts".length), path])),
      external: [/^[^./]/],
    },
    { dir: folder, entryFileNames: "[name].js", preserveModules: true, preserveModulesRoot: join(root, "src") },
  );
}

/** The deck is built for browsers; what only tests use is not built at all. */
const isForOthers = (path) => path.startsWith("src/dashboard/") || path.startsWith("src/testing/");

/** Left to itself the bundler puts what only a first MCP message needs beside what every start needs. */
const codeSplitting = {
  groups: [
    { name: "zod", test: /node_modules[\\/]zod[\\/]/, priority: 2 },
    { name: "mcp", test: /node_modules[\\/]@(modelcontextprotocol|hono)[\\/]/, priority: 1 },
  ],
};

/**
 * Puts the program and the code of every package into a few files under `program`: who installs Crewdeck installs one
 * package beside it, and a start reads ten files instead of hundreds. What finds a file by its own place lies two folders
 * below the root, as these do. `bin/load.js` loads them; each has a hash of its text in its name, and what is started is
 * reached by a name that stays.
 */
export async function bundleProgram(root, folder) {
  const input = Object.fromEntries(Object.entries(entries).filter(([, path]) => existsSync(join(root, path))));
  if (Object.keys(input).length === 0) return;
  const dir = join(folder, "program");
  const names = "[name]-[hash].js";
  const chunks = await bundle(
    root,
    { input, external: [/^node:/, ...native, ...absent, ...optional, ...unreached] },
    { dir, format: "cjs", entryFileNames: names, chunkFileNames: names, codeSplitting },
  );
  writeFileSync(join(dir, "package.json"), `{ "type": "commonjs" }\n`);
  for (const chunk of chunks) {
    const { isEntry, name, fileName } = chunk;
    writeFileSync(join(dir, fileName), inAscii({ name, code: requiringBuiltins(chunk.code) }));
    if (isEntry) writeFileSync(join(dir, `${name}.js`), `module.exports = require("./${fileName}");\n`);
  }
}

/** What is loaded with code that was kept has no `import()`, and what is part of Node needs none. */
const requiringBuiltins = (code) =>
  code.replaceAll(/\bimport\("([\w:/]+)"\)/g, (word, id) =>
    isBuiltin(id) ? `Promise.resolve(require("${id}"))` : word,
  );

/** One sign beyond Latin-1 makes the engine keep a file's text in twice the memory. The tokenizer's has 200,000. */
function inAscii({ name, code }) {
  if (name.startsWith("o200k")) return code;
  return code.replaceAll(/[^\0-\x7f]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

async function bundle(root, input, output) {
  const { rolldown } = await import("rolldown");
  // Files name where they come from; seen from here that is the same in every clone.
  // The parsers' loader evaluates what their own files hold; a newcomer who builds should not have to read about it.
  const checks = { eval: false };
  const bundled = await rolldown({ cwd: root, platform: "node", logLevel: "warn", checks, ...input });
  const { output: made } = await bundled.write({
    format: "esm",
    comments: { legal: true, annotation: false, jsdoc: false },
    ...output,
  });
  await bundled.close();
  return made;
}
