import fc from "fast-check";
import { expect, test } from "vitest";
import { TaskId } from "../../src/contract/ids.ts";
import type { Spent, TaskEnd } from "../../src/domain/context/outcome-model.ts";
import { countOutcomes, unknownShare } from "../../src/domain/context/outcome-rules.ts";
import { forEachStore } from "../../src/testing/house.ts";
import type { AnswerOf } from "../../src/tools/calls.ts";
import { bring } from "../workflow/work.ts";
import { addTask, claudeReport, ingest } from "./usage.ts";

const spent = (taskId: string | null, more: Partial<Spent> = {}): Spent => ({
  taskId: taskId === null ? null : TaskId.parse(taskId),
  agent: "ag_1",
  model: "m",
  week: "1",
  reports: 1,
  priced: 1,
  tokens: 10n,
  costNanos: 5n,
  ...more,
});

const end = (id: string, more: Partial<TaskEnd> = {}): TaskEnd => ({
  id: TaskId.parse(id),
  status: "done",
  level: "reproduced",
  endedAt: 50,
  ...more,
});

const around = { abandoned: new Set<string>(), since: 0, until: 100, weekOf: () => "1" };

test("[OU2, OU3, OU4] a result counts with whoever used most for it, once; without usage it is counted apart", () => {
  const groups = countOutcomes(
    {
      ...around,
      spent: [
        spent("tk_1", { model: "small", tokens: 1n }),
        spent("tk_1", { model: "big", tokens: 90n, priced: 0, costNanos: 0n }),
        spent("tk_2", { model: "small", tokens: 7n }),
        spent(null, { model: "small" }),
      ],
      ends: [end("tk_1"), end("tk_2", { status: "cancelled", level: null }), end("tk_3")],
    },
    "model",
  );
  const of = (key: string | null) => groups.find((group) => group.key === key);
  expect(of("big")).toMatchObject({ reproduced: 1, withoutUsage: 0, unpriced: 1, reproducedTokens: 90n });
  expect(of("small")).toMatchObject({ reproduced: 0, reproducedTokens: 1n, wastedTokens: 7n, wastedNanos: 5n });
  expect(of(null)).toMatchObject({ reproduced: 1, withoutUsage: 1, reports: 0 });
  // One of the three reports of the small one names no task.
  expect(groups.map(unknownShare)).toEqual(groups.map(({ key }) => (key === "small" ? 1 / 3 : 1)));
});

test("[OU4, OU6] what abandoned agents used came to nothing, unless it was reproduced; without a task nobody can tell", () => {
  const [total] = countOutcomes(
    {
      ...around,
      abandoned: new Set(["ag_gone"]),
      spent: [
        spent(null, { agent: "ag_gone", costNanos: 3n }),
        spent("tk_1", { agent: "ag_gone", costNanos: 4n }),
        spent("tk_2", { agent: "ag_gone", costNanos: 5n }),
        spent("tk_2", { costNanos: 6n }),
      ],
      ends: [end("tk_1", { status: "active", level: null, endedAt: null }), end("tk_2")],
    },
    "all",
  );
  expect(total).toMatchObject({ wastedNanos: 7n, reproducedNanos: 11n, reproduced: 1, withoutTask: 1 });
  expect(total && unknownShare(total)).toBe(1 / 4);
});

test("[OU2] however it is put together, every report and every result is in it once", () => {
  const name = (prefix: string) => fc.integer({ min: 0, max: 3 }).map((at) => `${prefix}_${at}`);
  const anySpent = fc.record({
    taskId: fc.option(name("tk")),
    agent: fc.option(name("ag")),
    model: fc.option(name("m")),
    week: name("w"),
    reports: fc.integer({ min: 1, max: 5 }),
    tokens: fc.bigInt({ min: 0n, max: 1_000n }),
    costNanos: fc.bigInt({ min: 0n, max: 1_000n }),
  });
  const levels = fc.constantFrom("reproduced" as const, "verified" as const, null);
  fc.assert(
    fc.property(
      fc.array(anySpent),
      fc.uniqueArray(name("tk")),
      fc.array(levels, { minLength: 4, maxLength: 4 }),
      (rows, ids, level) => {
        const counted = {
          ...around,
          spent: rows.map(({ taskId, ...row }) => spent(taskId, { ...row, priced: row.reports })),
          ends: ids.map((id, at) => end(id, { level: level[at] ?? null })),
        };
        const [all] = countOutcomes(counted, "all");
        for (const by of ["task", "agent", "model", "week"] as const) {
          const groups = countOutcomes(counted, by);
          const total = (key: "tokens" | "costNanos" | "reproducedTokens") =>
            groups.reduce((sum, one) => sum + one[key], 0n);
          for (const key of ["tokens", "costNanos", "reproducedTokens"] as const)
            expect(total(key)).toBe(all?.[key] ?? 0n);
          const count = (key: "reports" | "reproduced" | "withoutUsage") =>
            groups.reduce((sum, one) => sum + one[key], 0);
          for (const key of ["reports", "reproduced", "withoutUsage"] as const)
            expect(count(key)).toBe(all?.[key] ?? 0);
        }
      },
    ),
  );
});

forEachStore("outcome_report", (open) => {
  test("[OU1, OU3, OU4, OU5] what was spent is told by task, model and week; of private people nothing", async () => {
    const house = await open();
    const report = (args: object = {}) => house.call<AnswerOf<"outcome_report">>("outcome_report", args);
    expect(await report()).toMatchObject({ groups: [], total: null });
    const { caller: grace } = await house.developer("grace", { private: true });
    const id = await addTask(house, "Cards");
    await ingest(house, { ...claudeReport(3), task_id: id });
    await ingest(house, claudeReport(3), grace);
    await bring(house, id, "skipped");
    const { groups, total } = await report({ group_by: "task" });
    expect(groups).toMatchObject([
      { key: id, label: "Cards", tokens: 1_000_000, wasted_tokens: 1_000_000, wasted_usd: 3, reproduced: 0 },
    ]);
    expect(total).toMatchObject({ tokens: 1_000_000, cost_per_reproduced_usd: null, tokens_per_reproduced: null });
    expect((await report({ group_by: "week" })).groups[0]?.key).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect((await report({ group_by: "model" })).groups.map(({ key }) => key)).toEqual(["claude-sonnet-4-5"]);
    expect((await report({ group_by: "agent" })).groups.map(({ key }) => key)).toEqual([null]);
  });
});
