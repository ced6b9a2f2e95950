import { AgentId, type TaskId } from "../../contract/ids.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { Lifecycle } from "../lifecycle.ts";
import type { Look } from "../port.ts";
import { decideStep, takeStep, takeTask } from "../task/operations.ts";
import { getTask } from "../task/queries.ts";
import type { Work } from "../work.ts";
import type { LaunchPlan } from "./launch-model.ts";
import { createLaunched, hasRoom, launchProgram, takeOff } from "./launch-operations.ts";
import type { Budget, Instance, InstanceType } from "./model.ts";
import type { WorkTree } from "./port.ts";

interface StartSighting {
  readonly workTree: WorkTree;
  readonly plan: LaunchPlan;
  readonly mostAtOnce: number;
  readonly budget: Budget | null;
}

/** Looks where an agent is to be started, and with which program. */
export async function lookAtStart(
  look: Look,
  { path, type, program }: { path: string; type: InstanceType; program: string | null },
): Promise<StartSighting> {
  const { instance } = look.ports;
  const workTree = await instance.readWorkTree(path, look.signal);
  if (!workTree) {
    throw new Refusal("INVALID_INPUT", "That folder lies in no git work tree.", "Name a folder of a repository.");
  }
  const plan = await instance.planLaunch({ type, wanted: program, author: null });
  return { workTree, plan, mostAtOnce: instance.mostAtOnce, budget: instance.budget };
}

interface StartAsk {
  readonly type: InstanceType;
  readonly prompt: string | null;
  readonly taskId: TaskId | null;
  /** Null for the one that is configured. */
  readonly budget: Budget | null;
  /** How the work is handed over, in the words of the tools for it. */
  readonly ending: string;
  /** The words of tasks' statuses, for a refusal. */
  readonly say: (status: Lifecycle) => string;
}

/** Starts an agent of the caller's in a work tree of its own (IN15). */
export async function startInstance(work: Work, seen: StartSighting, ask: StartAsk): Promise<Instance> {
  const { workTree, plan, mostAtOnce } = seen;
  if (workTree.head === null)
    throw new Refusal("INVALID_STATE", "The repository has no commit yet.", "Commit something first.");
  if (ask.budget !== null && !plan.isCounted) {
    throw new Refusal(
      "INVALID_INPUT",
      `A budget has no effect here: what ${plan.program} uses in mode ${plan.mode} cannot be counted.`,
      "Leave the budget out, or start another agent.",
    );
  }
  const task = ask.taskId === null ? null : await getTask(work.db, ask.taskId);
  const quoted =
    task &&
    [task.name, "", task.description]
      .join("\n")
      .split(/\r\n|\r|\n/)
      .map((line) => `> ${line}`);
  const prompt = [
    ...(quoted ? [`The task ${task.id}, quoted:`, "", ...quoted, ""] : []),
    ...(ask.prompt === null ? [] : [ask.prompt, ""]),
    ask.ending,
    "",
  ].join("\n");
  const instance = await createLaunched(work, {
    plan,
    type: ask.type,
    developerId: work.caller.developerId,
    repositoryPath: workTree.repositoryPath,
    branch: `${ask.type === "coding" ? "work" : "planning"}/${plan.id}`,
    baseBranch: workTree.branch ?? workTree.baseBranch,
    commit: workTree.head,
    prompt,
    taskId: ask.taskId,
    budget: ask.budget ?? seen.budget,
  });
  if (task) await beginFor(work, task.id, instance, ask.say);
  if (await hasRoom(work, mostAtOnce)) {
    const payload = await takeOff(work, instance);
    work.after(launchProgram.ask({ key: `${instance.id}/1`, subject: instance.id, payload }));
  }
  return instance;
}

/** What lies between a task and its being under way. */
const ways: Partial<Record<Lifecycle, readonly Lifecycle[]>> = {
  planned: ["preparing", "active"],
  preparing: ["active"],
  paused: ["active"],
  blocked: ["active"],
  failed: ["planned", "preparing", "active"],
};

/** The task is in the new agent's hands and under way; its end gives it back (IN17). */
async function beginFor(work: Work, taskId: TaskId, { id }: Instance, say: StartAsk["say"]): Promise<void> {
  const { decision } = await takeTask(work, { taskId, agentId: AgentId.parse(id), say });
  if (decision.kind === "held") {
    throw new Refusal(
      "CONFLICT",
      "Another agent works on that task.",
      "Stop that agent first, or choose another task.",
      {
        already_claimed_by: decision.by,
      },
    );
  }
  let task = await getTask(work.db, taskId);
  for (const to of ways[task.status] ?? []) {
    task = await takeStep(work, task, await decideStep(work, task, { to, say }));
  }
}
