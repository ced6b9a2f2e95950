import { z } from "zod";
import { inputSchemaOf } from "../../contract/projections/schema.ts";
import type { AnyTool } from "../../contract/tool.ts";
import { defineTool } from "../define.ts";
import { rankTools } from "./rank-tools.ts";

/** The search over a catalogue: what a client with a short list uses to reach the rest (LS20). */
export const findToolsIn = (catalog: readonly AnyTool[]): AnyTool =>
  defineTool({
    name: "find_tools",
    family: "person",
    title: "Find tools",
    summary: "Search all tools by words, also unlisted ones, and get their input schemas.",
    guidance: "Run what you find with call_tool.",
    effect: "read",
    callers: ["agent"],
    input: z.object({
      query: z.string().trim().min(1).max(200).describe("What you want to do, e.g. archive message."),
      limit: z.number().int().min(1).max(20).default(5).describe("At most this many."),
    }),
    output: z.object({
      tools: z
        .array(
          z.object({
            name: z.string(),
            summary: z.string(),
            input_schema: z.record(z.string(), z.unknown()).describe("JSON Schema of its arguments."),
          }),
        )
        .describe("Best first; empty when nothing fits."),
    }),
    refusals: [],
    examples: [{ title: "by purpose", input: { query: "archive a message", limit: 3 } }],
    async handle({ query, limit }, work) {
      const reachable = catalog.filter((tool) => !work.isExcluded?.(tool.name));
      return {
        tools: rankTools(reachable, query)
          .slice(0, limit)
          .map((tool) => ({ name: tool.name, summary: tool.summary, input_schema: { ...inputSchemaOf(tool.input) } })),
      };
    },
  });
