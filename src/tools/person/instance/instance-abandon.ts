import { z } from "zod";
import { InstanceId } from "../../../contract/ids.ts";
import { instanceStatuses } from "../../../contract/words.ts";
import { abandonInstance } from "../../../domain/review/person-operations.ts";
import { defineTool } from "../../define.ts";

export default defineTool({
  name: "instance_abandon",
  family: "person",
  title: "Abandon work",
  summary: "Give up what an instance does: its program ends if we started it, and what it has done is kept.",
  effect: "destroy",
  callers: ["person"],
  input: z.object({ id: InstanceId.describe("The instance.") }),
  output: z.object({ id: InstanceId, status: z.enum(instanceStatuses) }),
  refusals: ["INSTANCE_NOT_FOUND", "FORBIDDEN", "INVALID_TRANSITION"],
  examples: [{ title: "one of them", needs: "launcher", input: { id: "$instance" } }],
  async handle({ id }, work) {
    const { status } = await abandonInstance(work, id);
    return { id, status };
  },
});
