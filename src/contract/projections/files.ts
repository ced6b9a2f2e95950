import type { ContractSet } from "../semver.ts";
import type { AnyTool } from "../tool.ts";
import { schemaVersion } from "../versions.ts";
import { type CatalogueParts, toCatalogue } from "./catalogue.ts";
import { errorDefinitions, eventDefinitions, toDefinition } from "./definition.ts";
import { toIndex, toMarkdown } from "./markdown.ts";
import { toOpenApi } from "./openapi.ts";
import { errorsPage, eventsPage } from "./pages.ts";

export interface ContractParts extends CatalogueParts {
  /** What administers Crewdeck itself: part of the HTTP surface, not of the published tools. */
  readonly person: readonly AnyTool[];
}

/** Everything that is derived from the definitions and committed: path from the top folder, text. */
export function generatedFiles(parts: ContractParts): Map<string, string> {
  const { tools, person } = parts;
  const { errors, events } = contractSet(tools);
  return new Map([
    ...tools.map((tool) => [`contracts/${tool.name}.json`, json(toDefinition(tool))] as const),
    ["contracts/mcp.json", json(toCatalogue(parts))],
    ["contracts/openapi.json", json(toOpenApi([...tools, ...person]))],
    ["contracts/errors.json", json(errors)],
    ["contracts/events.json", json(events)],
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

export const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
