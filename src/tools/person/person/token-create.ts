import { z } from "zod";
import { agentTypes } from "../../../contract/caller.ts";
import { TokenId } from "../../../contract/ids.ts";
import { Handle } from "../../../domain/person/model.ts";
import { createToken } from "../../../domain/person/operations.ts";
import { defineTool } from "../../define.ts";

const dayMs = 86_400_000;

export default defineTool({
  name: "token_create",
  family: "person",
  title: "Create a token",
  summary: "Create a token for a developer; its text is shown this once and never again.",
  effect: "create",
  callers: ["person"],
  input: z.object({
    developer: Handle.optional().describe("Whose token it is; yours if left out."),
    label: z.string().trim().min(1).max(100).optional().describe("What it is for."),
    agent_type: z.enum(agentTypes).optional().describe("Bind it to one kind of agent."),
    expires_in_days: z.number().int().min(1).max(3_650).optional().describe("Never, if left out."),
  }),
  output: z.object({
    id: TokenId,
    token: z.string().nullable().describe("Null when the call is repeated under one idempotency key."),
  }),
  withoutSecrets: ({ id }) => ({ id, token: null }),
  refusals: ["NOT_FOUND", "FORBIDDEN"],
  examples: [{ title: "for a client", input: { label: "laptop", agent_type: "codex" } }],
  async handle(input, work) {
    const { id, text } = await createToken(work, {
      handle: input.developer,
      label: input.label,
      agentType: input.agent_type ?? null,
      livesMs: input.expires_in_days === undefined ? undefined : input.expires_in_days * dayMs,
    });
    return { id, token: text };
  },
});
