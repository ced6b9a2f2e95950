import { join } from "node:path";
import type { PlaceName } from "../../domain/artifact/port.ts";

/** Where files beside the store are kept. Everything is below `index`, so that one folder can be removed to be rid of it. */
export function placesIn(homeDir: string): Readonly<Record<PlaceName, string>> {
  const index = join(homeDir, "index");
  return {
    index,
    models: join(index, "models"),
    dictionaries: join(index, "dictionaries"),
    extensions: join(index, "extensions"),
    triage: join(index, "triage"),
  };
}
