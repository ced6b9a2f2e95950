import { toCatalogue } from "../../src/contract/projections/catalogue.ts";
import type { ContractParts } from "../../src/contract/projections/files.ts";
import type { AnyTool } from "../../src/contract/tool.ts";
import { catalog, metaTools, personTools } from "../../src/tools/catalog.ts";
import { coreTools } from "../../src/tools/surfaces.ts";

export const parts: ContractParts = { tools: catalog, helpers: metaTools, core: coreTools, person: personTools };

export const catalogue = toCatalogue(parts);

/** Whatever can be called, one way or another. */
export const everyTool: readonly AnyTool[] = [...catalog, ...personTools, ...metaTools];

export const toolNamed = (name: string): AnyTool => {
  const tool = everyTool.find((candidate) => candidate.name === name);
  if (!tool) throw new Error(`no tool is called ${name}`);
  return tool;
};
