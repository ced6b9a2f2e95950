import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { forEachStore, type TestHouse } from "../../src/testing/house.ts";
import { until } from "../../src/testing/waiting.ts";
import { git } from "../git/scratch.ts";
import { callerOf, callIn, endPrograms, makeWork, openLaunchedHouse, readInstance } from "./launched-house.ts";

interface Started {
  readonly id: string;
  readonly worktree_path: string;
}

async function makeTasks(house: TestHouse, names: readonly string[]): Promise<string[]> {
  const source = { source_type: "prompt", source_content: "Round totals to cents." };
  const { id } = await house.call<{ id: string }>("workflow_create", {
    name: "Totals",
    ...source,
  });
  const tasks = names.map((name, at) => ({
    name,
    description: `${name}, please.`,
    sequence: at + 1,
    depends_on: names.slice(0, at),
  }));
  await house.call("workflow_set_plan", { id, plan: { summary: "Totals", approach: "In order", tasks } });
  const shown = await house.call<{ tasks: { id: string }[] }>("workflow_get", { id, include_tasks: true });
  return shown.tasks.map((task) => task.id);
}

forEachStore("an agent that a person starts", (_open, kind) => {
  test("[IN17] has its task in hand from the start, alone, and gives it back at its end", async () => {
    const { house } = await openLaunchedHouse(kind);
    const { path } = makeWork();
    const [task] = await makeTasks(house, ["Round totals"]);
    const { id } = await house.call<Started>("instance_start", { path, task_id: task, agent: "idle" });
    expect(await house.call("task_get", { id: task })).toMatchObject({ status: "in_progress", claimed_by: id });
    const again = await house.reply("instance_start", { path, task_id: task, agent: "idle" });
    expect(again).toMatchObject({ ok: false, failure: { code: "CONFLICT", already_claimed_by: id } });
    await house.house.errands.settle();
    await house.call("instance_stop", { id });
    expect(await house.call("task_get", { id: task })).toMatchObject({ status: "pending" });
    expect((await house.call<{ claimed_by?: string }>("task_get", { id: task })).claimed_by ?? null).toBe(null);
  });

  test("[IN17] does not get a task whose dependencies are open: TASK_BLOCKED", async () => {
    const { house } = await openLaunchedHouse(kind);
    const { path } = makeWork();
    const [, second] = await makeTasks(house, ["first", "second"]);
    expect(await house.refusal("instance_start", { path, task_id: second, agent: "idle" })).toBe("TASK_BLOCKED");
    expect(await house.call("instance_list")).toEqual({ instances: [] });
  });

  test("[IN16, IN18, PR10] is told of changes a person asks for as its next turn, and ends with the merge", async () => {
    const { house, dataDir, sweep } = await openLaunchedHouse(kind);
    const { path } = makeWork();
    const { id, worktree_path } = await house.call<Started>("instance_start", { path, prompt: "x", agent: "idle" });
    await house.house.errands.settle();
    git(worktree_path, "commit", "-q", "--allow-empty", "-m", "nothing");
    git(worktree_path, "rm", "-q", "a.txt");
    git(worktree_path, "commit", "-q", "-m", "work");
    const as = await callerOf(house, id);
    const opened = await callIn(house, "create_pr", { title: "t", description: "d" }, path, as);
    expect(opened).toMatchObject({ ok: true, value: { pr_number: 1, branch_name: `work/${id}` } });
    endPrograms(dataDir);
    await until(async () => {
      await sweep();
      return (await readInstance(house, id)).run?.state === "ended";
    });
    expect(await readInstance(house, id)).toMatchObject({ status: "pr_created" });
    await house.call("pull_comment", { number: 1, body: "Keep this file.", path: "a.txt", line: 1 });
    await house.call("pull_send_back", { number: 1, summary: "Nearly." });
    await sweep();
    await house.house.errands.settle();
    expect((await readInstance(house, id)).run).toMatchObject({ state: "running", turn: 2, words: null });
    const told = readFileSync(join(dataDir, "agents", id, "prompt.md"), "utf8");
    expect(told).toContain("Nearly.");
    expect(told).toContain("`a.txt:1`: Keep this file.");
    await house.call("pull_merge", { number: 1, method: "merge" });
    await house.house.errands.settle();
    const ended = await readInstance(house, id);
    expect(ended).toMatchObject({
      status: "pr_merged",
      endReason: "Its pull request was merged.",
      run: { state: "ended" },
    });
    await until(() => !existsSync(worktree_path));
  });
});

forEachStore("a reviewer", (_open, kind) => {
  test("[RV8] approves by create_pull_request: the coder's branch is the head, and the round is over", async () => {
    const { house } = await openLaunchedHouse(kind);
    const { path } = makeWork();
    const reply = await callIn(house, "request_review", {}, path);
    const { review_instance_id: reviewer } = (reply as { value: { review_instance_id: string } }).value;
    const as = await callerOf(house, reviewer);
    const ask = { title: "Change a", description: "Fine." };
    const opened = await callIn(house, "create_pull_request", ask, path, as);
    expect(opened).toMatchObject({ ok: true, value: { pr_number: 1, branch_name: "feature" } });
    const { parentId } = await readInstance(house, reviewer);
    expect(await readInstance(house, parentId ?? "")).toMatchObject({ status: "pr_created", pullNumber: 1 });
    expect(await readInstance(house, reviewer)).toMatchObject({
      status: "terminated",
      endReason: "It approved the work.",
    });
    expect(await house.call("review_list")).toMatchObject({ reviews: [{ outcome: "approved" }] });
    const mail = await house.call("message_list", { agent_id: parentId });
    expect(mail).toMatchObject({ messages: [{ subject: "Review round 1: approved" }] });
    const refused = await callIn(house, "create_pull_request", ask, path, as);
    expect(refused).toMatchObject({ ok: false, failure: { code: "INVALID_STATE", tool_name: "create_pull_request" } });
  });

  test("[RV19] that has given feedback approves nothing any more", async () => {
    const { house } = await openLaunchedHouse(kind);
    const { path } = makeWork();
    const reply = await callIn(house, "request_review", {}, path);
    const { review_instance_id: reviewer } = (reply as { value: { review_instance_id: string } }).value;
    const as = await callerOf(house, reviewer);
    const said = await callIn(house, "send_feedback", { feedback: "No.", feedback_type: "needs_work" }, path, as);
    expect(said).toMatchObject({ ok: true, value: { target_instance_id: expect.stringMatching(/^work-/) } });
    const late = await callIn(house, "create_pull_request", { title: "t", description: "d" }, path, as);
    expect(late).toMatchObject({ ok: false, failure: { code: "INVALID_STATE", instance_id: reviewer } });
    expect(await house.call("pull_list")).toEqual({ pulls: [] });
  });
});
