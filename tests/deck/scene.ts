import type { DeckTest, TestAgent } from "./kit.ts";

/** A small team at work: two repositories, three agents, tasks in every state, words between them. */
export interface Scene {
  readonly ada: TestAgent;
  readonly bob: TestAgent;
  readonly cleo: TestAgent;
  /** Ids of the tasks by name. */
  readonly tasks: Readonly<Record<string, string>>;
  readonly checkout: string;
  readonly search: string;
}

export async function playScene(house: DeckTest): Promise<Scene> {
  const ada = await house.agent("Ada", { workspace_path: "/srv/code/shop", capabilities: ["typescript"] });
  const bob = await house.agent("Bob", { runtime: "codex", workspace_path: "/srv/code/shop" });
  const cleo = await house.agent("Cleo", {
    runtime: "opencode",
    role: "coordinator",
    workspace_path: "/srv/code/index",
  });
  house.keepAlive([ada, bob, cleo]);
  const checkout = await plan(ada, "Faster checkout", "/srv/code/shop", [
    { name: "Measure where the time goes", description: "Profile the three slowest requests of the checkout." },
    {
      name: "Cache the price rules",
      description: "Price rules are read for every line of a cart. Keep them **per request**.",
      depends_on: ["Measure where the time goes"],
    },
    {
      name: "Move e-mails out of the request",
      description: "Queue them.",
      depends_on: ["Measure where the time goes"],
    },
    {
      name: "Load test with a thousand carts",
      description: "Numbers for the release notes.",
      depends_on: ["Cache the price rules"],
    },
    {
      name: "Release notes",
      description: "What got faster, by how much.",
      depends_on: ["Load test with a thousand carts"],
    },
  ]);
  const search = await plan(cleo, "Search that forgives typos", "/srv/code/index", [
    { name: "Split words into trigrams", description: "For titles first." },
    { name: "Rank by distance", description: "Fewer edits first." },
    { name: "A switch in the settings", description: "Off by default until measured." },
  ]);
  const tasks = { ...checkout.tasks, ...search.tasks };
  await finish(ada, tasks["Measure where the time goes"] ?? "", "Price rules take 61% of the time, emails 22%.");
  await begin(ada, tasks["Cache the price rules"] ?? "");
  await bob.call("checkpoint_add", {
    task_id: await begin(bob, tasks["Move e-mails out of the request"] ?? ""),
    type: "decision",
    summary: "Use the existing queue instead of a new one.",
    files_changed: ["src/mail/send.ts", "src/queue/jobs.ts"],
  });
  await begin(cleo, tasks["Split words into trigrams"] ?? "");
  await cleo.call("task_update_status", {
    id: tasks["Split words into trigrams"],
    status: "failed",
    error: "The index does not fit into memory with trigrams of all fields.",
  });
  await ada.call("message_send", {
    sender_id: ada.id,
    recipient_id: bob.id,
    message_type: "query",
    subject: "Queue names",
    body: "Do you rename the `mail` queue? I read from it in the cache **warm-up**.",
    priority: "high",
    task_id: tasks["Move e-mails out of the request"],
  });
  return { ada, bob, cleo, tasks, checkout: checkout.id, search: search.id };
}

/** Takes a task and begins to work on it. */
export async function begin(agent: TestAgent, id: string): Promise<string> {
  await agent.call("task_claim", { task_id: id, agent_id: agent.id });
  await agent.call("task_set_plan", {
    id,
    plan: { approach: "In small steps.", steps: ["Look", "Change", "Measure"] },
  });
  for (const status of ["planning", "in_progress"]) await agent.call("task_update_status", { id, status });
  return id;
}

export async function finish(agent: TestAgent, id: string, outcome: string): Promise<void> {
  await begin(agent, id);
  await agent.call("task_update_status", { id, status: "completed", outcome });
}

interface PlannedTask {
  readonly name: string;
  readonly description: string;
  readonly depends_on?: readonly string[];
}

/** A workflow with its tasks. */
export async function plan(
  agent: TestAgent,
  name: string,
  repository: string,
  planned: readonly PlannedTask[],
): Promise<{ id: string; tasks: Record<string, string> }> {
  const { id } = await agent.call<{ id: string }>("workflow_create", {
    name,
    source_type: "prompt",
    source_content: `${name}, please.`,
    repository_path: repository,
    max_parallel_tasks: 3,
  });
  const tasks = planned.map((task, place) => ({ ...task, sequence: place + 1 }));
  await agent.call("workflow_set_plan", { id, plan: { summary: name, approach: "Measured steps.", tasks } });
  const workflow = await agent.call<{ tasks: { id: string; name: string }[] }>("workflow_get", {
    id,
    include_tasks: true,
  });
  return { id, tasks: Object.fromEntries(workflow.tasks.map((task) => [task.name, task.id])) };
}
