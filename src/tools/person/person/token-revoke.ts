import { z } from "zod";
import { TokenId } from "../../../contract/ids.ts";
import { revokeToken } from "../../../domain/person/operations.ts";
import { defineTool } from "../../define.ts";

export default defineTool({
  name: "token_revoke",
  family: "person",
  title: "Revoke a token",
  summary: "End a token at once, on open connections too.",
  effect: "destroy",
  isRepeatable: true,
  callers: ["person"],
  input: z.object({ id: TokenId.describe("The token's id, as token_list shows it.") }),
  output: z.object({ success: z.literal(true) }),
  refusals: ["NOT_FOUND", "FORBIDDEN"],
  examples: [{ title: "a lost one", input: { id: "$token" } }],
  async handle({ id }, work) {
    await revokeToken(work, id);
    return { success: true } as const;
  },
});
