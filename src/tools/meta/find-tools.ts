import { z } from "zod";
import { briefSchema } from "../../contract/brief-entry.ts";
import type { JsonSchema } from "../../contract/json-schema.ts";
import { inputSchemaOf } from "../../contract/projections/schema.ts";
import type { AnyTool } from "../../contract/tool.ts";
import { defineTool } from "../define.ts";
import { type Fit, rankTools } from "./rank-tools.ts";

const Found = z.object({
  name: z.string(),
  operation: z.string().optional().describe("The operation that fits best, where the tool has operations."),
  summary: z.string(),
  input_schema: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("JSON Schema of its arguments; left out where there is no room. Search for the name alone to get it."),
});
type Found = z.input<typeof Found>;

/** The search over a catalogue: what a client with a short list uses to reach the rest (LS20). */
export const findToolsIn = (catalog: readonly AnyTool[]): AnyTool =>
  defineTool({
    name: "find_tools",
    family: "person",
    title: "Find tools",
    summary: "Find any Crewdeck tool by what you want to do, with its arguments.",
    guidance: "Run it with call_tool.",
    effect: "read",
    callers: ["agent"],
    input: z.object({
      query: z.string().trim().min(1).max(200).describe("What you want to do, e.g. archive a message."),
      limit: z.number().int().min(1).max(20).default(5).describe("Maximum number of tools."),
    }),
    output: z.object({ tools: z.array(Found).describe("Best first; empty when nothing fits.") }),
    refusals: [],
    examples: [{ title: "by purpose", input: { query: "archive a message", limit: 3 } }],
    async handle({ query, limit }, work) {
      const fits = rankTools(catalog, query).filter(({ tool }) => !work.isExcluded?.(tool.name));
      return { tools: fitInto(answerCharacters, fits.slice(0, limit)) };
    },
  });

/** 800 tokens of four characters: a look-up must cost less than the list it spares (LS23). */
const answerCharacters = 3_200;

/** As many as there is room for, and of the best of them what they take. */
function fitInto(room: number, fits: readonly Fit[]): Found[] {
  const found: Found[] = [];
  let left = room - JSON.stringify({ tools: [] }).length;
  for (const { tool, operation } of fits) {
    const summary = (operation === undefined ? undefined : tool.operations?.[operation]?.summary) ?? tool.summary;
    const one = { name: tool.name, ...(operation === undefined ? {} : { operation }), summary };
    left -= sizeOf(one);
    if (left < 0) break;
    found.push(one);
  }
  left = room - sizeOf({ tools: found });
  return found.map((one, at) => {
    const fit = fits[at];
    if (!fit) return one;
    const full = argumentsOf(fit);
    // The best is always told with what it takes; where that is very much, without words or by the names alone.
    const forms = at === 0 ? [full, withoutWords(full), onlyNames(full)] : [full];
    const fitting = forms.find((form) => sizeOf({ input_schema: form }) <= left) ?? full;
    const input_schema = { ...fitting };
    left -= sizeOf({ input_schema });
    return left < 0 ? one : { ...one, input_schema };
  });
}

const sizeOf = (value: unknown): number => JSON.stringify(value).length + 1;

/** Names, kinds and words to choose from. */
function withoutWords({ properties = {}, ...rest }: JsonSchema): JsonSchema {
  const plain = Object.entries(properties).map(([key, { type, enum: choices }]) => [
    key,
    { ...(type !== undefined && { type }), ...(choices && { enum: choices }) },
  ]);
  return { ...rest, properties: Object.fromEntries(plain) as Record<string, JsonSchema> };
}

function onlyNames({ properties = {}, ...rest }: JsonSchema): JsonSchema {
  return { ...rest, properties: Object.fromEntries(Object.keys(properties).map((key) => [key, {}])) };
}

/** What the operation takes, rather than what all operations together may take. */
function argumentsOf({ tool, operation }: Fit): JsonSchema {
  const own = operation === undefined ? undefined : tool.operations?.[operation];
  if (!own) return briefSchema(inputSchemaOf(tool.input));
  const { properties, required = [], ...rest } = briefSchema(inputSchemaOf(own.input));
  return {
    ...rest,
    properties: { operation: { type: "string", const: operation }, ...properties },
    required: ["operation", ...required],
  };
}
