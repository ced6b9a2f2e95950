import { expect, test } from "vitest";
import { z } from "zod";
import { nearestWord } from "../../src/contract/nearest-word.ts";
import { unfitArguments } from "../../src/contract/unfit-arguments.ts";

const schema = z.strictObject({
  title: z.string().min(1).max(10),
  agent_name: z.string().optional(),
  task_type: z.enum(["feature", "bug"]).optional(),
  limit: z.number().int().min(1).max(5).optional(),
  files: z.array(z.string().min(1)).max(2).optional(),
  scope_verdict: z.array(z.strictObject({ candidate_id: z.string(), reason: z.string().min(10) })).optional(),
});

function refuse(given: unknown): { message: string; details: unknown[] } {
  const parsed = schema.safeParse(given);
  if (parsed.success) throw new Error("it fits");
  const { message, details } = unfitArguments(parsed.error, given, schema);
  return { message, details: details["details"] as unknown[] };
}

test.each([
  { given: { title: "a", agent: "x" }, said: "Unknown field `agent`. Did you mean `agent_name`?" },
  { given: { title: "a", taskType: "bug" }, said: "Unknown field `taskType`. Did you mean `task_type`?" },
  { given: { title: "a", tilte: "b" }, said: "Unknown field `tilte`. Did you mean `title`?" },
  {
    given: { title: "a", colour: "red" },
    said: "Unknown field `colour`. Valid fields: title, agent_name, task_type, limit, files, scope_verdict.",
  },
  { given: {}, said: "`title` is required." },
  { given: { title: "" }, said: "`title` must not be empty." },
  { given: { title: "a".repeat(11) }, said: "`title` must have at most 10 characters." },
  { given: { title: "a", task_type: "epic" }, said: "`task_type` must be one of feature, bug." },
  { given: { title: "a", limit: 0 }, said: "`limit` must be at least 1." },
  { given: { title: "a", limit: 1.5 }, said: "`limit` must be a whole number." },
  { given: { title: 5 }, said: "`title` must be text." },
  { given: { title: "a", files: ["a", "b", "c"] }, said: "`files` must have at most 2 entries." },
  {
    given: { title: "a", scope_verdict: [{ candidate_id: "t", reason: "no" }] },
    said: "`scope_verdict[0].reason` must have at least 10 characters.",
  },
  {
    given: { title: "a", scope_verdict: [{ candidate: "t", reason: "long enough" }] },
    said: "`scope_verdict[0].candidate_id` is required. Unknown field `scope_verdict[0].candidate`. Did you mean `scope_verdict[0].candidate_id`?",
  },
  { given: [], said: "The call's arguments must be an object." },
])("[CT44] $said", ({ given, said }) => {
  expect(refuse(given).message).toBe(said);
});

test("[CT44] beyond five sentences the rest is counted, and details has every violation", () => {
  const keys = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`zzzzzz${at}`, at]));
  const { message, details } = refuse({ title: "a", ...keys });
  expect(message).toMatch(/ 4 more in details\.$/);
  expect(details).toHaveLength(9);
});

test("[CT44] a key is quoted cut short and without what could break the sentence", () => {
  const { message } = refuse({ title: "a", [`x\`\n\u001b[31m${"y".repeat(500)}`]: 1 });
  for (const broken of ["\n", "\u001b", "x`"]) expect(message).not.toContain(broken);
  expect(message.length).toBeLessThan(250);
});

test("[CT44] nothing is suggested where nothing is near", () => {
  expect(nearestWord("zebra", ["title", "repo"])).toBeUndefined();
  expect(nearestWord("", ["title"])).toBeUndefined();
});
