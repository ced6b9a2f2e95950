import { z } from "zod";
import { InstanceId } from "../../../contract/ids.ts";
import { instanceStatuses } from "../../../contract/words.ts";
import { stopInstance } from "../../../domain/review/person-operations.ts";
import { defineTool } from "../../define.ts";

export default defineTool({
  name: "instance_stop",
  family: "person",
  title: "Stop an agent",
  summary: "End a program that we started; what is in its folder goes into the vault first.",
  effect: "destroy",
  callers: ["person"],
  input: z.object({ id: InstanceId.describe("The instance.") }),
  output: z.object({ id: InstanceId, status: z.enum(instanceStatuses) }),
  refusals: ["INSTANCE_NOT_FOUND", "FORBIDDEN", "INVALID_STATE", "INVALID_TRANSITION"],
  examples: [{ title: "one of them", needs: "launcher", input: { id: "$instance" } }],
  async handle({ id }, work) {
    const { status } = await stopInstance(work, id);
    return { id, status };
  },
});
