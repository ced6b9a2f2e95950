import { z } from "zod";
import { InstanceId } from "../../../contract/ids.ts";
import { readTails } from "../../../domain/instance/tail-operations.ts";
import { defineTool } from "../../define.ts";

export default defineTool({
  name: "instance_tails",
  family: "person",
  title: "Read the last lines of running agents",
  summary: "See the last lines that each running program of yours has put out.",
  effect: "read",
  callers: ["person"],
  input: z.object({ lines: z.number().int().min(1).max(20).default(2).describe("At most so many of each.") }),
  output: z.object({ tails: z.array(z.object({ id: InstanceId, lines: z.array(z.string()) })) }),
  routes: [{ method: "GET", path: "/api/instance-tails" }],
  refusals: [],
  examples: [{ title: "two lines of each", input: {} }],
  observe: ({ lines }, look) => readTails(look, lines),
  handle: async (_input, _work, tails) => ({ tails: [...tails] }),
});
