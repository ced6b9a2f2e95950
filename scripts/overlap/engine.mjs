import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { ensureOutput } from "../steps/output.mjs";
import { root } from "../steps/root.mjs";

/** `DATA [--engine DIR]`: where the data is, and where the compiled engine is if not in dist. */
export async function openEngine() {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { engine: { type: "string" } } });
  const [folder = resolve(root, "..", "shared", "data", "overlap")] = positionals;
  if (values.engine === undefined && !(await ensureOutput(root))) throw new Error("The engine could not be built.");
  const from = resolve(values.engine ?? resolve(root, "dist", "domain", "overlap", "engine"));
  const load = (name) => import(pathToFileURL(resolve(from, `${name}.js`)).href);
  return { folder, load, home: resolve(root, "src", "domain", "overlap", "engine") };
}
