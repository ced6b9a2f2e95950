import { z } from "zod";
import type { Threshold } from "../../../contract/threshold.ts";
import { defineTool } from "../../define.ts";

const ThresholdRecord = z.object({
  key: z.string().describe("Where it stands in config.json, a dot for each level."),
  value: z.number().describe("What is in force."),
  default: z.number().describe("What is in force where config.json does not say."),
  least: z.number(),
  most: z.number(),
  meaning: z.string(),
});

export default defineTool({
  name: "settings_get",
  family: "person",
  title: "Read the thresholds in force",
  summary: "See the figures that a team may set for itself in config.json, and what each of them means.",
  effect: "read",
  callers: ["agent"],
  input: z.object({}),
  output: z.object({
    thresholds: z.array(ThresholdRecord),
    needs_restart: z.boolean().describe("Whether a change of config.json counts only after the next start."),
  }),
  refusals: [],
  examples: [{ title: "what is in force", input: {} }],
  observe: async (_input, look): Promise<readonly Threshold[]> => look.ports.context.listThresholds(),
  handle: async (_input, _work, thresholds) => ({ thresholds: [...thresholds], needs_restart: true }),
});
