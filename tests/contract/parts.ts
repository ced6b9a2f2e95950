import { type CatalogueParts, toCatalogue } from "../../src/contract/projections/catalogue.ts";
import type { AnyTool } from "../../src/contract/tool.ts";
import { catalog, metaTools, personTools } from "../../src/tools/catalog.ts";
import { coreArguments, coreTools } from "../../src/tools/surfaces.ts";

/** What is published, and what administers Crewdeck itself: part of the HTTP surface alone. */
interface Parts extends CatalogueParts {
  readonly person: readonly AnyTool[];
}

export const parts: Parts = { tools: catalog, helpers: metaTools, core: coreTools, coreArguments, person: personTools };

export const catalogue = toCatalogue(parts);

/** Whatever can be called, one way or another. */
export const everyTool: readonly AnyTool[] = [...catalog, ...personTools, ...metaTools];

export const toolNamed = (name: string): AnyTool => {
  const tool = everyTool.find((candidate) => candidate.name === name);
  if (!tool) throw new Error(`no tool is called ${name}`);
  return tool;
};
