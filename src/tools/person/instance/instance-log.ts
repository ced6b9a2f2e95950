import { z } from "zod";
import { InstanceId } from "../../../contract/ids.ts";
import { getOwnInstance } from "../../../domain/review/person-operations.ts";
import { defineTool } from "../../define.ts";

export default defineTool({
  name: "instance_log",
  family: "person",
  title: "Read an agent's output",
  summary: "See the end of what the program of an instance that we started has put out.",
  effect: "read",
  callers: ["person"],
  input: z.object({
    id: InstanceId.describe("The instance."),
    lines: z.number().int().min(1).max(20_000).default(200).describe("At most so many, the newest."),
  }),
  output: z.object({ id: InstanceId, output: z.string(), state: z.string().nullable() }),
  refusals: ["INSTANCE_NOT_FOUND", "FORBIDDEN"],
  examples: [{ title: "the last lines", needs: "launcher", input: { id: "$instance", lines: 20 } }],
  observe: ({ id }, look) => look.ports.instance.readOutput(id),
  async handle({ id, lines }, work, output) {
    const { run } = await getOwnInstance(work, id);
    const all = run === null ? [] : output.replace(/\n+$/, "").split("\n");
    return { id, output: all.slice(-lines).join("\n"), state: run?.state ?? null };
  },
});
