import fc from "fast-check";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, test } from "vitest";
import { loadTokenCounter } from "../../src/domain/context/operations.ts";
import { fillPack, listOmissions, type Piece } from "../../src/domain/context/pack.ts";
import { leastBudget, type TaskContext } from "../../src/domain/context/task-context.ts";
import { packTask } from "../../src/domain/context/task-pack.ts";
import { boundCounter } from "../../src/domain/context/tokens.ts";
import { packRecord, packVoice, wantedFrom } from "../../src/tools/workflow/voice/context-pack.ts";
import { include, taskContext, text } from "./context-samples.ts";

type Asked = Parameters<typeof wantedFrom>[0];

/** The pack of a task as the workflow family answers it. */
function packContext(context: TaskContext, asked: Asked, ask: { budget: number; count: (text: string) => number }) {
  const wanted = wantedFrom(asked);
  const build = (read: TaskContext, packed: Parameters<typeof packRecord>[1]) => packRecord(read, packed, wanted);
  return packTask(context, wanted, { ...ask, voice: packVoice, build }).answer;
}

/** What a model would be charged. */
const realTokens = (value: unknown): number =>
  countTokens(typeof value === "string" ? value : JSON.stringify(value), { disallowedSpecial: new Set<string>() });

describe("counting tokens", () => {
  test("[CX1] the count is never below the tokenizer's, and is its own for ordinary text", async () => {
    const count = await loadTokenCounter();
    fc.assert(
      fc.property(fc.array(text(700), { maxLength: 6 }), (parts) => {
        const whole = parts.join("");
        expect(count(whole)).toBeGreaterThanOrEqual(realTokens(whole));
      }),
      { numRuns: 400 },
    );
    for (const plain of ["", "Hello, world.", 'const a = "b";\n\treturn a;', "これは長い文章です。", "👍 done 🎉"]) {
      expect(count(plain)).toBe(realTokens(plain));
    }
  });

  test("[CX2] no word of more than 200 characters ever reaches the tokenizer, whose time grows with its square", () => {
    const longest = /[\p{L}\p{M}]+|[^\s\p{L}\p{N}]+|\s+/gu;
    let seen = 0;
    const count = boundCounter((given) => {
      for (const [word] of given.matchAll(longest)) seen = Math.max(seen, word.length);
      return given.length;
    });
    fc.assert(
      fc.property(fc.array(text(5_000), { maxLength: 4 }), (parts) => {
        count(parts.join("|"));
      }),
      { numRuns: 300 },
    );
    for (const run of ["a", "😀", "龘", " ", "\n", "-", "e\u0301"]) count(`start ${run.repeat(60_000)} end`);
    // A word of 200 is still a word: what is bound is not everything.
    count(`start ${"b".repeat(200)} end`);
    expect(seen).toBe(200);
  });

  test("[CX2] long words are counted by their bytes", () => {
    const count = boundCounter(() => 0);
    expect(count(`${"a".repeat(1_000)} ${"龘".repeat(1_000)}`)).toBe(1_000 + 3_000 + 2 * 4);
  });
});

describe("filling a pack", () => {
  const count = (value: string): number => value.length;
  const piece = (section: string, value: string, share?: number): Piece => ({
    section,
    ...(share === undefined ? {} : { share }),
    fit: (most) =>
      value.length <= most ? { value, cut: 0 } : { value: value.slice(0, most), cut: value.length - most },
  });
  const build = (chosen: readonly { value: unknown }[]) => chosen.map(({ value }) => value);

  test("[CX3] whatever the pieces, the whole answer is within the budget and what is missing is counted", () => {
    const pieces = fc.array(
      fc.tuple(
        fc.constantFrom("a", "b", "c"),
        fc.string({ maxLength: 300 }),
        fc.double({ min: 0.01, max: 1, noNaN: true }),
      ),
    );
    fc.assert(
      fc.property(pieces, fc.integer({ min: 40, max: 3_000 }), (list, budget) => {
        const given = list.map(([section, value, share]) => piece(section, value, share));
        const chosen = fillPack(given, { budget, count, build });
        expect(count(JSON.stringify(build(chosen)))).toBeLessThanOrEqual(budget);
        const omissions = listOmissions(given, chosen);
        const omitted = omissions.reduce((sum, one) => sum + (one.omitted ?? 0), 0);
        expect(omitted).toBe(given.length - chosen.length);
        const characters = omissions.reduce((sum, one) => sum + (one.characters ?? 0), 0);
        expect(characters).toBe(chosen.reduce((sum, one) => sum + one.cut, 0));
      }),
      { numRuns: 1_000 },
    );
  });

  test("[CX3] what is needed most goes in first, within its share, and takes what the others leave", () => {
    const long = piece("first", "x".repeat(2_000), 0.1);
    const small = piece("second", "y".repeat(200));
    const chosen = fillPack([long, small], { budget: 1_000, count, build });
    expect(chosen.map((one) => [one.piece.section, one.cut > 0])).toEqual([
      ["first", true],
      ["second", false],
    ]);
    expect(String(chosen[0]?.value).length).toBeGreaterThan(600);
  });

  test("[CX3] an answer of exactly the budget is within it", () => {
    const length = (text: string) => text.length;
    const ofLength = (whole: number) => ({ build: (chosen: readonly unknown[]) => "x".repeat(chosen.length * whole) });
    const small = piece("only", "y");
    expect(fillPack([small], { budget: 100, count: length, ...ofLength(98) })).toHaveLength(1);
    expect(fillPack([small], { budget: 100, count: length, ...ofLength(99) })).toHaveLength(0);
  });
});

describe("the context of a task", () => {
  test("[CX3, CX4] whatever was written, the whole answer keeps the budget and says what it left out", async () => {
    const count = await loadTokenCounter();
    fc.assert(
      fc.property(
        taskContext,
        include,
        fc.oneof(fc.integer({ min: leastBudget, max: 1_000 }), fc.integer({ min: leastBudget, max: 20_000 })),
        (context, asked, budget) => {
          const answer = packContext(context, asked, { budget, count });
          const tokens = realTokens(answer);
          expect(tokens).toBeLessThanOrEqual(budget);
          expect(tokens).toBeLessThanOrEqual(answer.token_estimate);
          expect(answer.token_estimate).toBeLessThanOrEqual(budget);
          expectComplete(answer, context, asked, budget);
        },
      ),
      { numRuns: 250, endOnFailure: true },
    );
  });
});

test("[CX4] a task's own context of which nothing fits is left out whole, and said to be", async () => {
  const count = await loadTokenCounter();
  const [sample, asked] = [fc.sample(taskContext, 1)[0], fc.sample(include, 1)[0]];
  if (!sample || !asked) throw new Error("no sample");
  const context = { ...sample, task: { ...sample.task, context: { long: "word ".repeat(20_000) } } };
  const answer = packContext(context, asked, { budget: 2_000, count });
  expect(answer.current_task.context).toEqual({});
  expect(answer.omitted).toContainEqual(expect.objectContaining({ section: "context", omitted: 1 }));
});

describe("the smallest budget", () => {
  test("[CX10] always holds what an answer cannot be without, in a mission too", async () => {
    const count = await loadTokenCounter();
    fc.assert(
      fc.property(taskContext, include, (context, asked) => {
        const answer = packContext(context, asked, { budget: leastBudget, count });
        expect(realTokens(answer)).toBeLessThanOrEqual(leastBudget);
        expect(answer.sibling_tasks).not.toEqual([]);
        expect(answer.dependency_outcomes).not.toEqual([]);
        expect(answer.mission).not.toEqual({});
      }),
      { numRuns: 500, endOnFailure: true },
    );
  });
});

type Answer = ReturnType<typeof packContext>;

/** Of every list: what is there and what is said to be missing make up what there is. */
function expectComplete(answer: Answer, context: TaskContext, asked: Asked, budget: number): void {
  if (budget < 400) return;
  const missing = (section: string): number => answer.omitted.find((one) => one.section === section)?.omitted ?? 0;
  const { current_task: task } = answer;
  const recent = Math.min(asked.recent_checkpoints, context.notes.length);
  const highlights = context.highlights.filter(
    (one) => !asked.all_checkpoints && !context.notes.slice(context.notes.length - recent).includes(one),
  );
  const expected = {
    prior_tasks: asked.prior_task_outcomes ? context.prior.total : 0,
    sibling_tasks: asked.sibling_status ? context.siblings.total : 0,
    dependency_outcomes: asked.dependency_outcomes ? context.dependencies.total : 0,
    files_changed: context.files.length,
    checkpoints: asked.all_checkpoints ? context.noteCount : recent,
    highlights: highlights.length,
  };
  expect({
    prior_tasks: answer.prior_tasks.length + missing("prior_tasks"),
    sibling_tasks: (answer.sibling_tasks?.length ?? 0) + missing("sibling_tasks"),
    dependency_outcomes: (answer.dependency_outcomes?.length ?? 0) + missing("dependency_outcomes"),
    files_changed: task.files_changed.length + missing("files_changed"),
    checkpoints: task.checkpoints.length + missing("checkpoints"),
    highlights: task.highlights.length + missing("highlights"),
  }).toEqual(expected);
  expect(answer.sibling_tasks === undefined).toBe(!asked.sibling_status);
  expect(answer.dependency_outcomes === undefined).toBe(!asked.dependency_outcomes);
  const sequences = task.checkpoints.map((one) => one.sequence);
  expect(sequences).toEqual([...sequences].sort((one, other) => one - other));
}
