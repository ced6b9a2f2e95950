import { z } from "zod";
import { Refusal } from "../../contract/refusal.ts";
import { defineTool } from "../define.ts";

/**
 * The door to every tool that is not listed. Only its definition is used: the ways in take `name` and `arguments`
 * out and dispatch that call instead, so that it is checked, limited and recorded under its own name. What still
 * arrives here was wrapped twice.
 */
export default defineTool({
  name: "call_tool",
  family: "person",
  title: "Call a tool",
  summary: "Run any Crewdeck tool by its name.",
  guidance: "Get its arguments from find_tools.",
  effect: "destroy",
  callers: ["agent"],
  input: z.object({
    name: z.string().min(1).max(100).describe("The tool."),
    arguments: z.record(z.string(), z.unknown()).default({}).describe("Its arguments."),
  }),
  output: z.record(z.string(), z.unknown()),
  refusals: ["NOT_FOUND"],
  examples: [{ title: "a tool that is not listed", input: { name: "repository_list", arguments: { limit: 5 } } }],
  async handle(): Promise<never> {
    throw new Refusal("NOT_FOUND", "call_tool has nothing to unwrap here.", "Call the tool itself by its own name.");
  },
});
