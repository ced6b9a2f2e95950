import { expect, test } from "vitest";
import type { TestHouse } from "../../src/testing/house.ts";
import { forEachStillStore, momentAt, traceOf } from "../domain/still-house.ts";
import { bring, planned } from "../workflow/work.ts";
import { feedbackOf, info } from "./session-scene.ts";
import { ask, day, type Pair, readState, type State } from "./state-scene.ts";

interface Audit {
  readonly audit_id: string;
  readonly compared: number;
  readonly conflicts: readonly Pair[];
  readonly omitted: number;
}

const title = "Add pagination to the orders list endpoint";
const reworded = "add Pagination to the orders-list endpoint!";

/** A task of somebody's own workflow, brought to a status. */
async function task(house: TestHouse, name: string, status: string, by = house.owner): Promise<string> {
  const description = "Cursor pagination for GET /orders so that the orders list endpoint stays fast.";
  const work = await planned(house, [{ name, description }], { name: `For ${status}` }, by);
  await bring(house, work.task(name), status, by);
  return work.task(name);
}

forEachStillStore("the audit of parallel work", (open) => {
  test("[TS20] nothing to compare is told, kept and recorded", async () => {
    const house = await open();
    let id = "";
    const trace = await traceOf(house, async () => {
      const answer = await ask<Audit>(house, "audit_parallel_work");
      id = answer.data.audit_id;
      expect(answer).toEqual({
        status: "ok",
        message: "None of 0 pieces of work is like another.",
        feedback: info(null),
        data: {
          audit_id: expect.stringMatching(/^rep_/),
          developer: "ada",
          compared: 0,
          conflicts: [],
          omitted: 0,
          created_at: momentAt(0),
        },
      });
    });
    expect(trace.work).toEqual([
      {
        kind: "parallel_work.audit",
        announced: "parallel_work.audit",
        subject: id,
        channels: [`parallel_work:${id}`],
        data: { compared: 0, running_conflicts: 0, pairs: [], omitted: 0 },
        developerId: house.owner.developerId,
      },
    ]);
  });

  test("[TS20, TS5, TS23] work that two are at is a warning, in the audit and in the state that follows", async () => {
    const house = await open();
    const { caller: grace } = await house.developer("grace");
    const mine = await task(house, title, "in_progress");
    house.clock.advance(1);
    const theirs = await task(house, reworded, "in_progress", grace);
    await task(house, "Rotate the signing keys of the mail gateway", "in_progress", grace);
    const told: Record<string, unknown>[] = [];
    const trace = await traceOf(house, async () => {
      told.push(...(await feedbackOf(house, () => ask(house, "audit_parallel_work"))));
    });
    const { data, status } = await ask<State>(house, "state");
    const [audit] = data.latest_parallel_audits;
    const [pair] = data.parallel_audit_conflicts;
    expect(told).toMatchObject([{ kind: "feedback.warning", subject: audit?.id }]);
    expect(trace.work).toMatchObject([
      { kind: "parallel_work.audit", data: { compared: 3, running_conflicts: 1, omitted: 0 } },
    ]);
    expect(JSON.stringify(trace.work)).not.toContain("orders");
    expect(status).toBe("warning");
    expect(pair).toMatchObject({ relation: "active_vs_active" });
    expect([pair?.one.id, pair?.other.id].sort()).toEqual([mine, theirs].sort());
    expect([pair?.one.developer, pair?.other.developer].sort()).toEqual(["ada", "grace"]);
    expect(audit?.conflicts).toEqual(data.parallel_audit_conflicts);
  });

  test("[TS20, TS6] work that repeats what is finished is a warning until it is finished too", async () => {
    const house = await open();
    const { caller: grace } = await house.developer("grace");
    await task(house, title, "completed");
    const again = await task(house, reworded, "in_progress", grace);
    const answer = await ask<Audit>(house, "audit_parallel_work");
    expect(answer.status).toBe("warning");
    expect(answer.data.conflicts).toMatchObject([{ relation: "active_vs_completed" }]);
    await house.call("task_update_status", { id: again, status: "completed", outcome: "Again." }, grace);
    const { status, data } = await ask<State>(house, "state");
    expect(status).toBe("ok");
    expect(data.parallel_audit_conflicts).toEqual([]);
    expect(data.latest_parallel_audits[0]?.conflicts).toHaveLength(1);
  });

  test("[TS21] work that is finished on both sides is found and warns nobody", async () => {
    const house = await open();
    const { caller: grace } = await house.developer("grace");
    await task(house, title, "completed");
    await task(house, reworded, "completed", grace);
    const answer = await ask<Audit>(house, "audit_parallel_work");
    expect(answer.status).toBe("ok");
    expect(answer.data.conflicts).toMatchObject([{ relation: "completed_vs_completed" }]);
    expect((await ask(house, "state")).status).toBe("ok");
  });

  test("[TS21] a conflict stays in the state while either of its two sides runs", async () => {
    const house = await open();
    const { caller: grace } = await house.developer("grace");
    const [early, late] = ["Polish the brass bells", "Translate the timetable into Finnish"];
    await task(house, early, "in_progress");
    await task(house, early, "completed", grace);
    await task(house, late, "completed");
    await task(house, late, "in_progress", grace);
    await ask(house, "audit_parallel_work");
    expect((await readState(house)).parallel_audit_conflicts).toHaveLength(2);
  });

  test("[TS22] planned, cancelled and older work is no conflict", async () => {
    const house = await open();
    const { caller: grace } = await house.developer("grace");
    await task(house, title, "completed");
    house.clock.advance(14 * day + 1);
    await task(house, title, "skipped");
    await task(house, title, "pending");
    await task(house, reworded, "in_progress", grace);
    const { status, data } = await ask<Audit>(house, "audit_parallel_work");
    expect([status, data.compared, data.conflicts]).toEqual(["ok", 1, []]);
  });

  test("[TS23] at most fifty pairs are kept, and the others counted", async () => {
    const house = await open();
    const names = Array.from({ length: 12 }, () => title);
    for (const name of names) await task(house, name, "in_progress");
    const { status, data } = await ask<Audit>(house, "audit_parallel_work");
    expect([status, data.compared, data.conflicts.length, data.omitted]).toEqual(["warning", 12, 50, 16]);
    const [entry] = (await house.entries()).filter(({ kind }) => kind === "parallel_work.audit");
    const firsts = (entry?.data["pairs"] as { one: string }[]).map(({ one }) => one);
    expect(firsts).toHaveLength(20);
    expect(firsts).toEqual([...firsts].sort());
    expect(entry?.data["omitted"]).toBe(46);
    const { parallel_audit_conflicts, latest_parallel_audits, totals } = await readState(house);
    expect([parallel_audit_conflicts.length, totals["parallel_audit_conflicts"]]).toEqual([20, 50]);
    expect(latest_parallel_audits).toMatchObject([{ omitted: 56 }]);
  });
});
