import { z } from "zod";
import { InstanceId } from "../../../contract/ids.ts";
import { grantRound } from "../../../domain/review/person-operations.ts";
import { defineTool } from "../../define.ts";

export default defineTool({
  name: "review_grant",
  family: "person",
  title: "Allow one more review",
  summary: "Allow the work of an instance one more round of review than the limit.",
  effect: "change",
  callers: ["person"],
  input: z.object({ id: InstanceId.describe("The instance whose work is reviewed.") }),
  output: z.object({ id: InstanceId, granted_rounds: z.number() }),
  refusals: ["INSTANCE_NOT_FOUND", "FORBIDDEN", "INVALID_STATE"],
  examples: [{ title: "one more", needs: "launcher", input: { id: "$instance" } }],
  handle: async ({ id }, work) => ({ id, granted_rounds: await grantRound(work, id) }),
});
