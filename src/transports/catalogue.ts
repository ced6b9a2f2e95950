import { readFileSync } from "node:fs";
import type { Catalogue, McpTool } from "../contract/listing.ts";

/** The published tools, as they were generated with this version. */
export const readCatalogue = (): Catalogue =>
  JSON.parse(readFileSync(new URL("../../contracts/mcp.json", import.meta.url), "utf8")) as Catalogue;

/** A tool's published entry; tools that administer Crewdeck itself have none. */
export function findEntry(catalogue: Catalogue, name: string): McpTool | undefined {
  const item = catalogue.tools.find((tool) => tool.name === name || tool.aliases.includes(name));
  return item?.entry ?? catalogue.helpers.find((helper) => helper.name === name);
}
