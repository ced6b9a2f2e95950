import { anotherRegistration } from "./house.mjs";

/** Agents that each take a task of one workflow and put it back, over and over. */
export async function makeClaimers(call, count) {
  const { id } = await call("workflow_create", { name: "Claims", source_type: "prompt", source_content: "x" });
  const tasks = Array.from({ length: count }, (_, at) => ({
    name: `task ${at}`,
    description: "Do it.",
    sequence: 1,
    depends_on: [],
  }));
  await call("workflow_set_plan", { id, plan: { summary: "Claims", approach: "At once", tasks } });
  const { tasks: planned } = await call("workflow_get", { id, include_tasks: true });
  return Promise.all(
    planned.map(async ({ id: task_id }) => {
      const { id: agent_id } = await call("agent_register", anotherRegistration());
      return async () => {
        await call("task_claim", { task_id, agent_id });
        await call("task_release", { task_id, agent_id });
      };
    }),
  );
}
