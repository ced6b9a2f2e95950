import type { ContractSet } from "../semver.ts";
import type { AnyTool } from "../tool.ts";
import { schemaVersion } from "../versions.ts";
import { type CatalogueParts, toCatalogue } from "./catalogue.ts";
import { errorDefinitions, eventDefinitions, toDefinition } from "./definition.ts";
import { toIndex, toMarkdown } from "./markdown.ts";
import { contractsPage, errorsPage, eventsPage } from "./pages.ts";

/** Everything that is derived from the definitions and committed: path from the top folder, text. */
export function generatedFiles(parts: CatalogueParts): Map<string, string> {
  const { tools } = parts;
  const { errors, events } = contractSet(tools);
  return new Map([
    ...tools.map((tool) => [`contracts/${tool.name}.json`, json(toDefinition(tool))] as const),
    ["contracts/mcp.json", json(toCatalogue(parts))],
    ["contracts/errors.json", json(errors)],
    ["contracts/events.json", json(events)],
    ["contracts/README.md", contractsPage()],
    ...tools.map((tool) => [`docs/tools/${tool.name}.md`, toMarkdown(tool)] as const),
    ["docs/tools/README.md", toIndex(tools)],
    ["docs/errors.md", errorsPage()],
    ["docs/events.md", eventsPage()],
  ]);
}

/** What a version stands for; the set of the last release is kept beside the current one. */
export const contractSet = (tools: readonly AnyTool[]): ContractSet => ({
  schemaVersion,
  tools: Object.fromEntries(tools.map((tool) => [tool.name, toDefinition(tool)])),
  errors: errorDefinitions(),
  events: eventDefinitions(),
});

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
