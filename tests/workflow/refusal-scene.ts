import type { Caller } from "../../src/contract/caller.ts";
import type { TestHouse } from "../../src/testing/house.ts";
import { bring, claim, newWorkflow, planned } from "./work.ts";

/** What a refused call can be about: records of the owner (`my`) and of a second developer (`his`). */
export interface Scene {
  readonly house: TestHouse;
  readonly bob: Caller;
  readonly my: Readonly<Record<"workflow" | "unplanned" | Task | "agent" | "offline" | "workspace" | "gone", string>>;
  readonly his: Readonly<Record<"workflow" | "task" | "running" | "agent" | "workspace", string>>;
}

type Task = "task" | "running" | "waiting" | "done" | "held";

export async function setScene(house: TestHouse): Promise<Scene> {
  const { caller: bob } = await house.developer("bob");
  const mine = await planned(house, [
    { name: "task" },
    { name: "running" },
    { name: "done" },
    { name: "held" },
    { name: "waiting", depends_on: ["task"] },
  ]);
  const others = await planned(house, [{ name: "task" }, { name: "running" }], {}, bob);
  const [agent, offline] = [await house.agent("Mine"), await house.agent("Offline")];
  await house.call("agent_unregister", { id: offline });
  await bring(house, mine.task("running"), "in_progress");
  await bring(house, mine.task("done"), "completed");
  await bring(house, others.task("running"), "in_progress", bob);
  await claim(house, mine.task("held"), agent);
  const workspace = async (workflowId: string, by?: Caller) => {
    const args = { workflow_id: workflowId, path: "/srv/code/shop-worktrees/a", branch: "work/a" };
    return (await house.call<{ id: string }>("workspace_create", args, by)).id;
  };
  const gone = await workspace(mine.id);
  await house.call("workspace_update", { id: gone, status: "abandoned" });
  const taskNames: Task[] = ["task", "running", "waiting", "done", "held"];
  const tasks = Object.fromEntries(taskNames.map((name) => [name, mine.task(name)])) as Record<Task, string>;
  return {
    house,
    bob,
    my: {
      ...tasks,
      workflow: mine.id,
      unplanned: await newWorkflow(house),
      agent,
      offline,
      workspace: await workspace(mine.id),
      gone,
    },
    his: {
      workflow: others.id,
      task: others.task("task"),
      running: others.task("running"),
      agent: await house.agent("His", bob),
      workspace: await workspace(others.id, bob),
    },
  };
}
