import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";
import { root } from "../../scripts/steps/root.mjs";
import { makeFolder } from "./homes.mjs";

/** A PostgreSQL server of the bench's own, started as the tests start theirs. */
export async function startBenchPostgres() {
  const file = join(makeFolder(), "postgres.mjs");
  const bundle = await rolldown({ input: join(root, "src", "testing", "postgres.ts"), platform: "node" });
  await bundle.write({ file });
  const { startPostgres } = await import(pathToFileURL(file).href);
  return startPostgres();
}
