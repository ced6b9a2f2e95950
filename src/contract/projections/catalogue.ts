import { instructions } from "../instructions.ts";
import type { Catalogue } from "../listing.ts";
import type { AnyTool } from "../tool.ts";
import { schemaVersion, toolVersion } from "../versions.ts";
import { toMcp } from "./mcp.ts";

export interface CatalogueParts {
  readonly tools: readonly AnyTool[];
  /** wait, find_tools and call_tool. */
  readonly helpers: readonly AnyTool[];
  /** The names of the core list. */
  readonly core: readonly string[];
  /** Of some of them only these arguments are listed there. */
  readonly coreArguments: Readonly<Record<string, readonly string[]>>;
}

/** Everything a list is made from, as the bridge and the server read it from `contracts/mcp.json`. */
export const toCatalogue = ({ tools, helpers, core, coreArguments }: CatalogueParts): Catalogue => ({
  schemaVersion,
  toolVersion,
  instructions,
  tools: tools.map((tool) => ({
    name: tool.name,
    aliases: tool.aliases ?? [],
    family: tool.family,
    effect: tool.effect,
    isCore: core.includes(tool.name),
    ...(coreArguments[tool.name] === undefined ? {} : { coreArguments: coreArguments[tool.name] }),
    entry: toMcp(tool),
  })),
  helpers: helpers.map(toMcp),
  helperArguments: Object.fromEntries(
    helpers.flatMap(({ name }) => (coreArguments[name] ? [[name, coreArguments[name]]] : [])),
  ),
});
