import { z } from "zod";
import { listDevelopers, listTokens } from "../../../domain/person/queries.ts";
import { defineTool } from "../../define.ts";
import { TokenRecord, tokenRecord } from "../voice/people.ts";

export default defineTool({
  name: "token_list",
  family: "person",
  title: "List tokens",
  summary: "See which tokens exist: the owner sees all, others their own.",
  effect: "read",
  callers: ["person"],
  input: z.object({}),
  output: z.object({ tokens: z.array(TokenRecord) }),
  refusals: ["FORBIDDEN"],
  examples: [{ title: "all of them", input: {} }],
  async handle(_input, work) {
    const { role, developerId } = work.caller;
    const tokens = await listTokens(work.db, role === "owner" ? undefined : developerId);
    const handles = new Map((await listDevelopers(work.db)).map((developer) => [developer.id, developer.handle]));
    return { tokens: tokens.map((token) => tokenRecord(token, handles.get(token.developerId) ?? "")) };
  },
});
