import { readdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../scripts/steps/root.mjs";

/** Every file beside this folder is a bench: it has a `title`, and `run` answers its rows. */
const listNames = () =>
  readdirSync(join(root, "bench"))
    .filter((file) => file.endsWith(".mjs"))
    .map((file) => file.slice(0, -".mjs".length));

/**
 * The benches to run. A word names a bench or all that begin with it: `calls` is three of them. Without a word all of
 * them run, except those that ask to be named.
 */
export async function chooseBenches(words) {
  const names = listNames();
  const isNamed = (name, word) => name === word || name.startsWith(`${word}-`);
  const unknown = words.find((word) => !names.some((name) => isNamed(name, word)));
  if (unknown !== undefined) throw new Error(`There is no bench "${unknown}". There are: ${names.join(", ")}`);
  const named = names.filter((name) => words.length === 0 || words.some((word) => isNamed(name, word)));
  const benches = await Promise.all(named.map(async (name) => ({ name, ...(await import(`../${name}.mjs`)) })));
  return benches.filter((bench) => words.length > 0 || !bench.isOnRequest);
}
