import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Catalogue } from "../../src/contract/listing.ts";
import { programFile } from "../cli/program.ts";

/** What the program under test promises to list: the file it is shipped with, not the source it was made from. */
export const published = JSON.parse(readFileSync(join(programFile, "../../contracts/mcp.json"), "utf8")) as Catalogue;

/** The names a client sees that loads every schema at once. */
export const coreNames = [
  ...published.tools.filter(({ isCore }) => isCore).map(({ name }) => name),
  ...published.helpers.map(({ name }) => name),
];

/** Every entry, as a client sees it that asked for all of them. */
export const allEntries = published.tools.map(({ entry }) => entry);
