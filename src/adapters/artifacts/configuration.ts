import { readdir, stat } from "node:fs/promises";
import type { Capabilities, Configuration, PlaceName } from "../../domain/artifact/port.ts";
import { hasPackage } from "../package.ts";
import { placesIn } from "./places.ts";

/** What there is and what is allowed, as found at this moment. */
export async function readConfiguration(
  homeDir: string,
  { downloads, timeouts }: Pick<Configuration, "downloads" | "timeouts">,
): Promise<Configuration> {
  const places = placesIn(homeDir);
  const entries = Object.entries(places) as [PlaceName, string][];
  const found = await Promise.all(
    entries.map(async ([name, path]) => [name, { path, exists: await isThere(path) }] as const),
  );
  return {
    places: Object.fromEntries(found) as Configuration["places"],
    capabilities: await readCapabilities(places),
    downloads,
    timeouts,
  };
}

async function readCapabilities(places: Readonly<Record<PlaceName, string>>): Promise<Capabilities> {
  const [models, dictionaries, extensions] = await Promise.all(
    [places.models, places.dictionaries, places.extensions].map(listNames),
  );
  return {
    sqlite: hasPackage("@photostructure/sqlite"),
    models: models ?? [],
    dictionaries: dictionaries ?? [],
    extensions: extensions ?? [],
  };
}

/** Unfinished downloads and notes about them begin with a dot. */
const listNames = async (folder: string): Promise<string[]> =>
  (await readdir(folder).catch(() => [])).filter((name) => !name.startsWith(".")).sort();

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
