import { describe, expect, test } from "vitest";
import type { TestHouse } from "../../src/testing/house.ts";
import { allow, configure, script } from "./checks.ts";
import { completeTask, makeRepository, openMissionHouse, startMission, startTask } from "./repository.ts";

interface Item {
  readonly kind: string;
  readonly id: string;
  readonly result?: object;
}

const resultOf = async (house: TestHouse, id: string): Promise<unknown> =>
  (await house.call<{ result: unknown }>("task_get", { id })).result;

const boardResults = async (house: TestHouse): Promise<unknown[]> =>
  (await house.call<{ tasks: { result: unknown }[] }>("task_list", {})).tasks.map(({ result }) => result);

const doubts = async (house: TestHouse, caller = house.owner): Promise<Item[]> =>
  (await house.call<{ items: Item[] }>("inbox", {}, caller)).items.filter(({ kind }) => kind === "doubtful_result");

const glance = (level: string, out_of_scope_count = 0, failing_check_count = 0) => ({
  level,
  out_of_scope_count,
  failing_check_count,
});

/** A task that changes `src/new.ts` and says it touches these areas. */
async function work(house: TestHouse, dir: string, write: () => void, areas: string[] = []) {
  const mission_id = await startMission(house);
  const { task_id } = await startTask(house, { mission_id, areas, repository_path: dir });
  write();
  await completeTask(house, task_id);
  return task_id;
}

describe.each(["sqlite", "postgres"] as const)("results at a glance on %s", (kind) => {
  test("[RC8] a task carries its result once it is over, on the board as on its own", async () => {
    const house = await openMissionHouse(kind);
    const r = makeRepository();
    const mission_id = await startMission(house);
    const { task_id } = await startTask(house, { mission_id, repository_path: r.dir });
    expect(await resultOf(house, task_id)).toBeNull();
    expect(await boardResults(house)).toEqual([null]);
    r.write("src/new.ts", "new\n");
    await completeTask(house, task_id);
    expect(await resultOf(house, task_id)).toEqual(glance("verified"));
    expect(await boardResults(house)).toEqual([glance("verified")]);
    expect(await doubts(house)).toEqual([]);
  });

  test("[RC8] what is done without a receipt is self-reported", async () => {
    const house = await openMissionHouse(kind);
    const mission_id = await startMission(house);
    const { task_id } = await startTask(house, { mission_id, repository_path: makeRepository().dir });
    await house.call("task_update_status", { id: task_id, status: "completed", outcome: "Believe me." });
    expect(await resultOf(house, task_id)).toEqual(glance("self-reported"));
  });

  test("[RC11] a task that is started again and ends on its agent's word is self-reported, and its receipt stays", async () => {
    const house = await openMissionHouse(kind);
    const r = makeRepository();
    const mission_id = await startMission(house);
    const { task_id } = await startTask(house, { mission_id, areas: ["docs"], repository_path: r.dir });
    r.write("src/new.ts", "new\n");
    await completeTask(house, task_id, { status: "failed" });
    expect(await resultOf(house, task_id)).toEqual(glance("self-reported", 1));
    await house.call("task_replan", {
      id: task_id,
      reason: "Once more.",
      new_plan: { approach: "Better.", steps: ["One."] },
    });
    expect(await resultOf(house, task_id)).toBeNull();
    for (const status of ["planning", "in_progress"]) {
      await house.call("task_update_status", { id: task_id, status });
    }
    await house.call("task_update_status", { id: task_id, status: "completed", outcome: "Believe me." });
    expect(await resultOf(house, task_id)).toEqual(glance("self-reported"));
    expect(await doubts(house)).toEqual([]);
  });

  test("[RC8] nobody else sees what became of the work of somebody private", async () => {
    const house = await openMissionHouse(kind);
    const { caller: grace } = await house.developer("grace");
    const r = makeRepository();
    await work(house, r.dir, () => r.write("src/new.ts", "new\n"));
    await house.call("developer_update", { handle: "ada", private: true });
    const seen = await house.call<{ tasks: { result: unknown }[] }>("task_list", {}, grace);
    expect(seen.tasks.map(({ result }) => result)).toEqual([null]);
  });

  test("[RC9, RC10, TS41] changes outside the scope wait in the inbox until somebody who may accepts them", async () => {
    const house = await openMissionHouse(kind);
    const { caller: grace } = await house.developer("grace");
    const r = makeRepository();
    const id = await work(house, r.dir, () => r.write("src/new.ts", "new\n"), ["docs"]);
    const result = glance("self-reported", 1);
    expect(await resultOf(house, id)).toEqual(result);
    expect(await doubts(house)).toMatchObject([{ kind: "doubtful_result", id, result }]);
    expect(await doubts(house, grace)).toEqual([]);
    expect(await house.refusal("result_accept", { task_id: id }, grace)).toBe("FORBIDDEN");
    const before = (await house.entries()).at(-1)?.seq ?? 0;
    await house.call("result_accept", { task_id: id });
    await house.call("result_accept", { task_id: id });
    expect(await doubts(house)).toEqual([]);
    expect(await resultOf(house, id)).toEqual(result);
    const accepted = (await house.entries("work", before)).filter(({ kind: name }) => name === "receipt.accepted");
    expect(accepted).toMatchObject([{ subject: id, announced: "task:updated" }]);
  });

  test("[RC9] so do checks that fail", async () => {
    const house = await openMissionHouse(kind);
    const r = makeRepository();
    configure(r.dir, [script("lint", "process.exit(1)")]);
    r.commit("checks");
    await allow(house, r.dir);
    const id = await work(house, r.dir, () => r.write("src/new.ts", "new\n"));
    expect(await doubts(house)).toMatchObject([{ id, result: glance("verified", 0, 1) }]);
  });

  test("[RC10] there is nothing to accept before a task is over", async () => {
    const house = await openMissionHouse(kind);
    const mission_id = await startMission(house);
    const { task_id } = await startTask(house, { mission_id, repository_path: makeRepository().dir });
    expect(await house.refusal("result_accept", { task_id })).toBe("INVALID_STATE");
    expect(await house.refusal("result_accept", { task_id: "tk_unknown" })).toBe("NOT_FOUND");
  });
});
