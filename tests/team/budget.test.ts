import { expect, test } from "vitest";
import { z } from "zod";
import type { Caller } from "../../src/contract/caller.ts";
import { forEachStore, openTestHouse, type TestHouse } from "../../src/testing/house.ts";
import { defineTool } from "../../src/tools/define.ts";
import { withBudgetNotice } from "../../src/tools/team/budget-notice.ts";
import { block, TeamAnswer } from "../../src/tools/team/voice/answer.ts";
import { everyTool } from "../contract/parts.ts";
import { forEachStillStore, momentAt, traceOf } from "../domain/still-house.ts";
import { addTask, claudeReport, ingest, type Told } from "./usage.ts";

const spendDollars = (house: TestHouse, dollars: number, by?: Caller, more: Record<string, unknown> = {}) =>
  ingest(house, { ...claudeReport(dollars), ...more }, by);

const lookAtTeam = (house: TestHouse, by?: Caller): Promise<Told> =>
  house.call<Told>("covibe_team", { operation: "state" }, by);

const setLimit = (house: TestHouse, limit_usd: number | null, target: Record<string, unknown> = {}) =>
  house.call("budget_set", { developer: house.owner.handle, limit_usd, ...target });

const blocking = defineTool({
  name: "covibe_block",
  family: "team",
  title: "Block",
  summary: "Blocks.",
  effect: "change",
  callers: ["agent"],
  input: z.object({}),
  output: TeamAnswer,
  refusals: [],
  examples: [],
  handle: async () => block("tk_1", { message: "Not yet.", next: "Check first.", data: { code: "CHECK_REQUIRED" } }),
});

forEachStillStore("budgets", (open, kind) => {
  test("[BU1, BU5] a limit is set, counts what was used before, and is one event", async () => {
    const house = await open();
    const { developerId, handle } = house.owner;
    await spendDollars(house, 3);
    const answers: unknown[] = [];
    const { work } = await traceOf(house, async () => answers.push(await setLimit(house, 10)));
    const record = {
      subject_id: developerId,
      kind: "developer",
      limit_usd: 10,
      spent_usd: 3,
      passed_at: null,
      warned_at: null,
      updated_at: momentAt(0),
    };
    expect(answers).toEqual([record]);
    expect(work).toEqual([
      {
        kind: "budget.set",
        announced: "budget:set",
        subject: developerId,
        channels: [`budget:${developerId}`],
        developerId,
        data: { kind: "developer", developer_id: developerId, limit_usd: 10 },
      },
    ]);
    expect(await house.call("budget_list")).toEqual({ budgets: [{ ...record, label: handle }] });
  });

  test("[BU2] the report that passes a limit records it, and the next answer warns once", async () => {
    const house = await open();
    const { developerId } = house.owner;
    await setLimit(house, 6);
    await spendDollars(house, 6);
    expect((await lookAtTeam(house)).data).not.toHaveProperty("budget_warnings");
    const { work } = await traceOf(house, async () => {
      const passing = await spendDollars(house, 3);
      expect(passing).toMatchObject({ status: "ok", data: { budgets_passed: [developerId] } });
    });
    expect(work.map(({ kind, data }) => [kind, data])).toEqual([
      ["span.recorded", expect.anything()],
      ["budget.passed", { kind: "developer", developer_id: developerId, limit_usd: 6, spent_usd: 9 }],
    ]);
    // Reports of a watcher do not use the warning up.
    expect((await spendDollars(house, 1.5)).data).toMatchObject({ budgets_passed: [] });

    const warned = await lookAtTeam(house);
    expect(warned).toMatchObject({
      status: "warning",
      feedback: { type: "warning", required_action: expect.stringContaining("budget is passed") },
      data: {
        budget_warnings: [
          { code: "BUDGET_PASSED", kind: "developer", subject_id: developerId, limit_usd: 6, spent_usd: 10.5 },
        ],
      },
    });
    expect(await house.entries("feedback")).toMatchObject([
      { kind: "feedback.warning", subject: developerId, data: { code: "BUDGET_PASSED" } },
    ]);
    expect((await lookAtTeam(house)).data).not.toHaveProperty("budget_warnings");
    await spendDollars(house, 9);
    expect((await lookAtTeam(house)).data).not.toHaveProperty("budget_warnings");
  });

  test("[BU2] a task's limit warns the developer whose use passed it, and nobody else", async () => {
    const house = await open();
    const { caller: bob } = await house.developer("bob");
    const task_id = await addTask(house, "Cart");
    await setLimit(house, 1, { developer: undefined, task_id });
    await spendDollars(house, 2, undefined, { task_id });
    expect((await lookAtTeam(house, bob)).data).not.toHaveProperty("budget_warnings");
    expect((await lookAtTeam(house)).data["budget_warnings"]).toMatchObject([{ kind: "task", subject_id: task_id }]);
  });

  test("[BU3] a graver answer keeps its status and its next step", async () => {
    const house = await openTestHouse(kind, { tools: [...everyTool, withBudgetNotice(blocking)] });
    await setLimit(house, 0);
    await spendDollars(house, 1);
    expect(await house.call<Told>("covibe_block")).toMatchObject({
      status: "blocked",
      message: expect.stringMatching(/^Not yet\. .*budget/),
      feedback: { type: "block", required_action: expect.stringMatching(/^Check first\. .+budget is passed/) },
      data: { code: "CHECK_REQUIRED", budget_warnings: [{ code: "BUDGET_PASSED" }] },
    });
    expect((await house.entries("feedback")).map(({ kind: what }) => what)).toEqual([
      "feedback.block",
      "feedback.warning",
    ]);
  });

  test("[BU2] a refused call does not use the warning up", async () => {
    const house = await open();
    await setLimit(house, 0);
    await spendDollars(house, 1);
    await house.refusal("covibe_session", { operation: "heartbeat", session_id: "ag_unknown" });
    expect((await lookAtTeam(house)).data["budget_warnings"]).toHaveLength(1);
  });

  test("[BU4] a changed limit begins anew", async () => {
    const house = await open();
    const warns = async () => (await lookAtTeam(house)).data["budget_warnings"] !== undefined;
    await setLimit(house, 1);
    await spendDollars(house, 2);
    await setLimit(house, 4);
    expect(await warns()).toBe(false);
    await spendDollars(house, 3);
    expect([await warns(), await warns()]).toEqual([true, false]);
    await setLimit(house, 2);
    expect([await warns(), await warns()]).toEqual([true, false]);
    await setLimit(house, null);
    await spendDollars(house, 99);
    expect(await warns()).toBe(false);
    expect(await house.call("budget_list")).toEqual({ budgets: [] });
  });

  test("[BU1, BU7] people set their own and their tasks' limits, the owner everybody's", async () => {
    const house = await open();
    const { caller: bob } = await house.developer("bob");
    const [hers, his] = [await addTask(house, "Hers"), await addTask(house, "His", bob)];
    const refused = (args: Record<string, unknown>, by?: Caller) =>
      house.refusal("budget_set", { limit_usd: 1, ...args }, by);
    await house.call("budget_set", { developer: "bob", limit_usd: 1 }, bob);
    await house.call("budget_set", { task_id: his, limit_usd: 1 }, bob);
    await house.call("budget_set", { task_id: his, limit_usd: 2 });
    await house.call("budget_set", { developer: "bob", limit_usd: 2 });
    expect(await refused({ developer: house.owner.handle }, bob)).toBe("FORBIDDEN");
    expect(await refused({ task_id: hers }, bob)).toBe("FORBIDDEN");
    expect(await refused({ task_id: "tk_unknown" })).toBe("TASK_NOT_FOUND");
    expect(await refused({ developer: "nobody" })).toBe("NOT_FOUND");
    expect(await refused({})).toBe("INVALID_INPUT");
    expect(await refused({ developer: "bob", task_id: his })).toBe("INVALID_INPUT");
    const agent = { ...bob, agentType: "codex" as const };
    expect(await refused({ developer: "bob" }, agent)).toBe("FORBIDDEN");
    expect(await house.refusal("budget_list", {}, agent)).toBe("FORBIDDEN");
  });

  test("[BU6] budgets are seen by whom they concern", async () => {
    const house = await open();
    const { caller: bob } = await house.developer("bob");
    const task_id = await addTask(house, "His", bob);
    await setLimit(house, 1);
    await house.call("budget_set", { developer: "bob", limit_usd: 2 });
    await house.call("budget_set", { task_id, limit_usd: 3 }, bob);
    const labels = async (by?: Caller) =>
      (await house.call<{ budgets: { label: string }[] }>("budget_list", {}, by)).budgets
        .map(({ label }) => label)
        .sort();
    expect(await labels(bob)).toEqual(["His", "bob"]);
    expect(await labels()).toEqual(["His", house.owner.handle, "bob"].sort());
    await house.call("developer_update", { handle: "bob", private: true }, bob);
    expect(await labels(bob)).toEqual(["His", "bob"]);
    expect(await labels()).toEqual([house.owner.handle]);
  });
});

forEachStore("budgets under load", (open) => {
  test("[BU2, BU5] of many reports at once every one is counted, and the limit is passed once", async () => {
    const house = await open();
    await setLimit(house, 10);
    const { work } = await traceOf(house, () =>
      Promise.all(Array.from({ length: 24 }, () => spendDollars(house, 1.5))),
    );
    expect(work.filter(({ kind }) => kind === "budget.passed")).toHaveLength(1);
    const { budgets } = await house.call<{ budgets: object[] }>("budget_list");
    expect(budgets).toMatchObject([{ spent_usd: 36 }]);
    const looks = await Promise.all(Array.from({ length: 5 }, () => lookAtTeam(house)));
    expect(looks.filter(({ data }) => data["budget_warnings"] !== undefined)).toHaveLength(1);
  });
});
