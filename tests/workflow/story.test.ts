import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { until } from "../../src/testing/waiting.ts";
import { BridgeProcess } from "../bridge/bridge-process.ts";
import { crewdeck, ensureBuilt, openHome, type TestHome } from "../cli/program.ts";

beforeAll(ensureBuilt);

interface Task {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly claimed_by: string | null;
}

/** One agent in a process of its own, speaking MCP over stdio. */
class Worker {
  readonly bridge: BridgeProcess;
  id = "";

  constructor(home: TestHome) {
    this.bridge = new BridgeProcess(home);
  }

  async join(name: string): Promise<this> {
    await this.bridge.ask("initialize", {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "story", version: "1" },
    });
    this.id = (await this.call<{ id: string }>("agent_register", { name, runtime: "custom" })).id;
    return this;
  }

  async call<T = Record<string, unknown>>(tool: string, args: Record<string, unknown>): Promise<T> {
    const { result } = (await this.bridge.call(tool, args)) as {
      result?: { isError?: boolean; structuredContent?: T };
    };
    if (!result || result.isError) throw new Error(`${tool}: ${JSON.stringify(result)}`);
    return result.structuredContent as T;
  }

  /** Takes the task, notes a step, writes a file into the task's worktree. */
  async begin(task: Task): Promise<string> {
    expect(await this.call("task_claim", { task_id: task.id, agent_id: this.id })).toMatchObject({ success: true });
    await this.call("task_update_status", { id: task.id, status: "planning" });
    await this.call("task_set_plan", { id: task.id, plan: { approach: `Do ${task.name}`, steps: ["write", "check"] } });
    await this.call("task_update_status", { id: task.id, status: "in_progress" });
    const path = await this.worktreeOf(task);
    writeFileSync(join(path, `${task.name}.txt`), task.name);
    await this.call("checkpoint_add", {
      task_id: task.id,
      type: "progress",
      summary: `Wrote ${task.name}.txt, checks are next.`,
      files_changed: [`${task.name}.txt`],
    });
    return path;
  }

  async finish(task: Task): Promise<void> {
    await this.call("task_update_status", { id: task.id, status: "completed", outcome: `${task.name} works` });
  }

  async worktreeOf(task: Task): Promise<string> {
    const { workflow_id } = await this.call<{ workflow_id: string }>("task_get", { id: task.id });
    let path = "";
    await until(async () => {
      const { workspaces } = await this.call<{ workspaces: { path: string; ready: boolean; task_ids: string[] }[] }>(
        "workspace_list",
        { workflow_id },
      );
      const own = workspaces.find((workspace) => workspace.task_ids.includes(task.id));
      path = own?.ready ? own.path : "";
      return path !== "";
    });
    return path;
  }
}

function makeRepository(home: TestHome): string {
  const dir = join(home.dir, "..", "shop");
  mkdirSync(dir, { recursive: true });
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@example.com", ...args], {
      cwd: dir,
      stdio: "ignore",
    });
  git("init", "-q", "-b", "main");
  writeFileSync(join(dir, "readme.txt"), "shop\n");
  git("add", "-A");
  git("commit", "-q", "-m", "first");
  return dir;
}

test("[WF60, WF61] one plans, three work in worktrees, one of them dies and another takes over from its checkpoints; the ledger tells the same story", async () => {
  const home = openHome();
  const repository = makeRepository(home);
  const planner = await new Worker(home).join("planner");
  const [ada, bob, cy] = await Promise.all(["ada", "bob", "cy"].map((name) => new Worker(home).join(name)));
  if (!ada || !bob || !cy) throw new Error("three workers join");
  const { id: workflow_id } = await planner.call<{ id: string }>("workflow_create", {
    name: "Story",
    source_type: "prompt",
    source_content: "Build three parts and put them together.",
    repository_path: repository,
    max_parallel_tasks: 3,
    auto_create_workspaces: true,
  });
  const part = (name: string) => ({ name, description: name, sequence: 1, parallel_group: "parts" });
  await planner.call("workflow_set_plan", {
    id: workflow_id,
    plan: {
      summary: "Three parts, then one",
      approach: "Side by side",
      tasks: [
        part("one"),
        part("two"),
        part("three"),
        { name: "join", description: "Put together", sequence: 2, depends_on: ["one", "two", "three"] },
      ],
    },
  });
  await planner.call("workflow_update_status", { id: workflow_id, status: "in_progress" });
  const { tasks } = await planner.call<{ tasks: Task[]; recommended_count: number }>("workflow_next_tasks", {
    workflow_id,
  });
  expect(tasks.map(({ name }) => name)).toEqual(["one", "three", "two"]);
  const [one, three, two] = tasks as [Task, Task, Task];

  const paths = await Promise.all([ada.begin(one), bob.begin(two), cy.begin(three)]);
  expect(new Set(paths).size).toBe(3);
  bob.bridge.child.kill("SIGKILL");
  await Promise.all([ada.finish(one), cy.finish(three)]);

  const beats = setInterval(() => {
    for (const worker of [planner, ada, cy])
      void worker.call("agent_heartbeat", { agent_id: worker.id }).catch(() => undefined);
  }, 10_000);
  try {
    await until(async () => {
      const { tasks: free } = await cy.call<{ tasks: Task[] }>("task_get_available", { agent_id: cy.id, workflow_id });
      return free.some(({ id }) => id === two.id);
    });
  } finally {
    clearInterval(beats);
  }
  expect(await cy.call("task_claim", { task_id: two.id, agent_id: cy.id })).toMatchObject({ success: true });
  const context = await cy.call<{ current_task: { plan: { approach: string }; checkpoints: { summary: string }[] } }>(
    "task_load_context",
    { task_id: two.id, max_tokens: 2_000 },
  );
  expect(context.current_task.plan.approach).toBe("Do two");
  expect(context.current_task.checkpoints.map(({ summary }) => summary)).toEqual(["Wrote two.txt, checks are next."]);
  for (const status of ["planning", "in_progress"]) await cy.call("task_update_status", { id: two.id, status });
  await cy.finish(two);

  const { tasks: last } = await ada.call<{ tasks: Task[] }>("workflow_next_tasks", { workflow_id });
  const [join_] = last;
  if (!join_) throw new Error("the last task is free");
  await ada.call("task_claim", { task_id: join_.id, agent_id: ada.id });
  await ada.call("task_update_status", { id: join_.id, status: "planning" });
  await ada.call("task_update_status", { id: join_.id, status: "completed", outcome: "together" });
  await planner.call("workflow_update_status", { id: workflow_id, status: "completed" });

  const told = await replay(home);
  const { tasks: stored } = await planner.call<{ tasks: Task[] }>("workflow_get", {
    id: workflow_id,
    include_tasks: true,
  });
  expect(told).toEqual(Object.fromEntries(stored.map(({ id, status, claimed_by }) => [id, { status, claimed_by }])));
});

interface LoggedEvent {
  readonly kind: string;
  readonly subject: string;
  readonly data: { readonly to?: string; readonly agent_id?: string; readonly status?: string };
}

const words: Readonly<Record<string, string>> = {
  done: "completed",
  active: "in_progress",
  preparing: "planning",
  planned: "pending",
};

/** Every task's state, told by the ledger alone. */
async function replay(home: TestHome): Promise<Record<string, { status: string; claimed_by: string | null }>> {
  const tasks: Record<string, { status: string; claimed_by: string | null }> = {};
  const { stdout } = await crewdeck(home, ["log", "--limit", "1000", "--json"]);
  const events = stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as LoggedEvent);
  for (const { kind, subject, data } of events) {
    if (!kind.startsWith("task.")) continue;
    tasks[subject] ??= { status: "pending", claimed_by: null };
    const task = tasks[subject];
    if (kind === "task.statusChanged") task.status = words[data.to ?? ""] ?? String(data.to);
    else if (kind === "task.claimed") task.claimed_by = data.agent_id ?? null;
    else if (kind === "task.released") {
      task.claimed_by = null;
      task.status = words[data.status ?? ""] ?? String(data.status);
    }
  }
  return tasks;
}
