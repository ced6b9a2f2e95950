import { z } from "zod";
import { agentTypes } from "../../../contract/caller.ts";
import { TokenId } from "../../../contract/ids.ts";
import { Refusal } from "../../../contract/refusal.ts";
import { Handle } from "../../../domain/person/model.ts";
import { createToken } from "../../../domain/person/operations.ts";
import { defineTool } from "../../define.ts";

const dayMs = 86_400_000;
const mostDays = 3_650;

export default defineTool({
  name: "token_create",
  family: "person",
  title: "Create a token",
  summary: "Create a token for a developer; its text is shown this once and never again.",
  effect: "create",
  callers: ["person"],
  input: z.object({
    developer: Handle.optional().describe("Its owner; you if left out."),
    label: z.string().trim().min(1).max(100).optional().describe("What it is for."),
    agent_type: z.enum(agentTypes).optional().describe("Bind it to one kind of agent."),
    expires_in_days: z.number().int().min(1).max(mostDays).optional().describe("Never, if left out."),
    expires_at: z.iso.datetime({ offset: true }).optional().describe("The moment instead, within ten years."),
  }),
  output: z.object({
    id: TokenId,
    token: z.string().nullable().describe("Null when the call is repeated under one idempotency key."),
  }),
  withoutSecrets: ({ id }) => ({ id, token: null }),
  refusals: ["NOT_FOUND", "FORBIDDEN", "INVALID_INPUT"],
  examples: [
    { title: "for a client", input: { label: "laptop", agent_type: "codex" } },
    { title: "for a month", input: { label: "ci", expires_in_days: 30 } },
  ],
  async handle(input, work) {
    const { id, text } = await createToken(work, {
      handle: input.developer,
      label: input.label,
      agentType: input.agent_type ?? null,
      livesMs: lifeOf(input, work.now),
    });
    return { id, token: text };
  },
});

/** How long it lives; undefined for ever. */
function lifeOf(
  { expires_in_days, expires_at }: { expires_in_days?: number | undefined; expires_at?: string | undefined },
  now: number,
): number | undefined {
  if (expires_at === undefined) return expires_in_days === undefined ? undefined : expires_in_days * dayMs;
  const livesMs = Date.parse(expires_at) - now;
  if (expires_in_days === undefined && livesMs > 0 && livesMs <= mostDays * dayMs) return livesMs;
  throw new Refusal(
    "INVALID_INPUT",
    expires_in_days === undefined
      ? "expires_at is not within the next ten years."
      : "expires_in_days and expires_at exclude each other.",
    expires_in_days === undefined ? "Name a later day." : "Pass one of them.",
  );
}
