import { z } from "zod";
import type { ModelPrice } from "../../contract/price.ts";
import { usageSources } from "../../contract/words.ts";
import type { Span } from "../../domain/usage/model.ts";
import { dollarsOf, mostDollars } from "../../domain/usage/money-model.ts";
import { recordUse } from "../../domain/usage/operations.ts";
import { defineTool } from "../define.ts";
import { teamTool } from "./team-tool.ts";
import { tell } from "./voice/answer.ts";
import { SessionId, TaskRef } from "./voice/words.ts";

export default defineTool({
  name: "covibe_ingest_agent_telemetry",
  ...teamTool,
  title: "Report token usage",
  summary: "Record the tokens a model used, from the provider's or the harness's own usage report.",
  keywords: "cost usage tokens spend price model provider report",
  guidance:
    "Send the usage object as it came, with input and output tokens apart. Only its counters, the model's name and a " +
    "hash are kept; the rest is discarded. Sending the same payload again doesn't count it twice.",
  effect: "create",
  isRepeatable: true,
  callers: ["agent"],
  input: z.object({
    source: z.enum(usageSources).describe("Who wrote the payload."),
    payload: z
      .record(z.string(), z.unknown())
      .describe("The usage report itself: a response, a transcript line, a hook's input, an OpenTelemetry span."),
    submitted_cost_usd: z.number().min(0).max(mostDollars).optional().describe("What you think it cost, in dollars."),
    session_id: SessionId.optional(),
    task_id: TaskRef.describe("Your task that the tokens were used for.").optional(),
  }),
  refusals: ["INVALID_INPUT", "TOO_LARGE", "SESSION_NOT_FOUND", "TASK_NOT_FOUND", "FORBIDDEN"],
  examples: [
    {
      title: "a response of Claude",
      input: {
        source: "claude",
        payload: {
          id: "msg_01",
          model: "claude-sonnet-4-5",
          usage: { input_tokens: 1200, output_tokens: 340, cache_read_input_tokens: 18000 },
        },
      },
    },
    {
      title: "a turn of Codex, for a task",
      input: {
        source: "codex",
        payload: {
          type: "response.completed",
          response: {
            model: "gpt-5-codex",
            usage: { input_tokens: 900, input_tokens_details: { cached_tokens: 400 }, output_tokens: 210 },
          },
        },
        submitted_cost_usd: 0.00278,
        task_id: "$task",
      },
    },
  ],
  observe: async (_input, look): Promise<readonly ModelPrice[]> => look.ports.usage.listPrices(),
  async handle(input, work, prices) {
    const { span, isRepeated, passed } = await recordUse(work, {
      source: input.source,
      payload: input.payload,
      submittedUsd: input.submitted_cost_usd,
      sessionId: input.session_id,
      taskId: input.task_id,
      prices,
    });
    return tell({
      message: isRepeated
        ? "This report was recorded before; nothing was counted again."
        : `Recorded ${span.totalTokens} tokens.`,
      data: { ...dataOf(span), repeated: isRepeated, budgets_passed: passed.map((budget) => budget.subjectId) },
    });
  },
});

const dataOf = (span: Span) => ({
  span_id: span.id,
  model: span.model,
  counters: {
    input: span.inputTokens,
    output: span.outputTokens,
    cache_read: span.cacheReadTokens,
    cache_creation: span.cacheCreationTokens,
    reasoning: span.reasoningTokens,
    total: span.totalTokens,
  },
  cost_usd: span.costNanos === null ? null : dollarsOf(span.costNanos),
  cost_source: span.costSource,
  cost_mismatch: span.isMismatch,
  price_version: span.priceVersion,
  verified: true,
});
