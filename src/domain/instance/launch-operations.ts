import type { DeveloperId, InstanceId, TaskId } from "../../contract/ids.ts";
import { AgentId } from "../../contract/ids.ts";
import { takeOffline } from "../agent/operations.ts";
import { retireLaunched } from "../ending/agent-operations.ts";
import { type AnyErrandKind, defineErrand, type ErrandFailure } from "../errand.ts";
import { mintToken, revokeInstanceToken } from "../person/operations.ts";
import type { SystemWork } from "../work.ts";
import { noteFolderFailed, noteFolderMade } from "../worktree/errand-operations.ts";
import { addInstanceWorktree, leaveInstanceWorktree } from "../worktree/instance-operations.ts";
import { instanceEvent } from "./events.ts";
import type { EndInstance, LaunchedInstance, LaunchInstance, LaunchPlan, SayToInstance } from "./launch-model.ts";
import type { Budget, Instance, InstanceRun, InstanceStatus, Used } from "./model.ts";
import { createInstance, moveInstance } from "./operations.ts";
import { getInstance, listLaunched } from "./queries.ts";
import { addTold, isOver, mostUsed } from "./rules.ts";
import { saveInstance } from "./store.ts";

/** Whether a launched program lives is known from its run; its agent is not given up for being silent. */
const neverStaleMs = 10 * 365 * 24 * 3_600_000;

interface LaunchWish {
  readonly plan: LaunchPlan;
  readonly type: Instance["type"];
  readonly developerId: DeveloperId;
  readonly repositoryPath: string;
  readonly branch: string;
  readonly baseBranch: string | null;
  /** Where its branch begins. */
  readonly commit: string;
  readonly prompt: string;
  readonly parent?: Instance;
  readonly taskId?: TaskId | null;
  readonly reviewIteration?: number;
  readonly budget?: Budget | null;
}

/** An instance of ours: its token, its folder's record and its own. Whoever calls asks for the work that starts it. */
export async function createLaunched(work: SystemWork, wish: LaunchWish): Promise<Instance> {
  const { plan, type, developerId, repositoryPath, branch, baseBranch, commit, prompt, parent } = wish;
  const { id, program, mode } = plan;
  const token = await mintToken(work, {
    developerId,
    label: id,
    agentType: program === "claude" ? "claude-code" : program === "codex" ? "codex" : null,
    instanceId: id,
    secret: plan.secret,
  });
  const { path } = plan;
  const worktree = await addInstanceWorktree(work, { developerId, path, branch, baseBranch, repositoryPath });
  return createInstance(work, {
    id,
    type,
    origin: "launched",
    developerId,
    tokenId: token.id,
    repositoryPath,
    worktreePath: path,
    worktreeId: worktree.id,
    branch,
    baseBranch,
    program,
    sessionName: id,
    parentId: parent?.id ?? null,
    taskId: wish.taskId ?? null,
    reviewIteration: wish.reviewIteration ?? 0,
    run: {
      state: "queued",
      mode,
      commit,
      turn: 1,
      startedAt: null,
      endedAt: null,
      exitCode: null,
      words: null,
      problem: null,
      budget: wish.budget ?? null,
    },
    prompt,
    staleAfterMs: neverStaleMs,
  });
}

/** What is to be started for an instance, and that it is on its way. */
export async function takeOff(work: SystemWork, instance: Instance): Promise<LaunchInstance> {
  const { id, tokenId, parentId, type, program, worktreeId, repositoryPath, worktreePath, branch, run } = instance;
  if (tokenId === null || program === null || run === null) throw new Error("only what we launch is started");
  const told = run.words === null ? {} : { told: addTold(run.told, { turn: run.turn, at: work.now, text: run.words }) };
  await saveInstance(work.db, instance, { run: { ...run, ...told, state: "starting", words: null } });
  return {
    instanceId: id,
    tokenId,
    parentId,
    type,
    program,
    mode: run.mode,
    turn: run.turn,
    prompt: run.words ?? instance.prompt ?? "",
    budget: run.budget ?? null,
    path: worktreePath,
    worktree:
      run.turn > 1 || worktreeId === null || branch === null
        ? null
        : {
            worktreeId,
            repositoryPath,
            path: worktreePath,
            branch,
            baseBranch: instance.baseBranch,
            commit: run.commit,
          },
  };
}

/** Whether there is room for one more program. */
export async function hasRoom(work: SystemWork, mostAtOnce: number): Promise<boolean> {
  const running = (await listLaunched(work.db, work.place)).filter(({ run }) => isRunning(run));
  return running.length < mostAtOnce;
}

const isRunning = (run: InstanceRun | null): boolean => run?.state === "starting" || run?.state === "running";

export async function noteLaunched(
  work: SystemWork,
  { instanceId, worktree }: LaunchInstance,
  { made, startedAt }: LaunchedInstance,
): Promise<void> {
  const instance = await getInstance(work.db, instanceId);
  if (made !== null && worktree !== null) await noteFolderMade(work, worktree.worktreeId, made);
  const run = changed(instance, { state: "running", startedAt, problem: null });
  await saveInstance(work.db, instance, { run, worktreePath: made?.path ?? instance.worktreePath });
  work.record(instanceEvent.launched(instance.id, { turn: run.turn, mode: run.mode }, channelsOf(instance)));
  // Whoever was stopped while it was being started is over already.
  if (isOver(instance)) askToEnd(work, instance, {});
}

/** What could not be started was taken back. */
export async function noteLaunchFailed(
  work: SystemWork,
  { instanceId, worktree }: LaunchInstance,
  failure: ErrandFailure,
): Promise<Instance> {
  const instance = await getInstance(work.db, instanceId);
  if (worktree !== null) await noteFolderFailed(work, worktree.worktreeId, failure);
  const problem = `${failure.code}: ${failure.message}`;
  const run = changed(instance, { state: "failed", endedAt: work.now, problem });
  await saveInstance(work.db, instance, { run });
  work.record(instanceEvent.launchFailed(instance.id, { code: failure.code }, channelsOf(instance)));
  return { ...instance, run, version: instance.version + 1 };
}

/** Its program has ended by itself. */
export async function noteProcessEnded(
  work: SystemWork,
  instance: Instance,
  { exitCode, at, used }: { exitCode: number | null; at: number; used?: Used },
): Promise<Instance> {
  const most = mostUsed(instance.run?.used, used);
  const run = changed(instance, {
    state: "ended",
    endedAt: at,
    exitCode,
    attention: null,
    ...(most ? { used: most } : {}),
  });
  await saveInstance(work.db, instance, { run });
  work.record(instanceEvent.processEnded(instance.id, { exit_code: exitCode }, channelsOf(instance)));
  return { ...instance, run, version: instance.version + 1 };
}

/**
 * Ends an instance of ours: no more calls, no program, and of its folder a copy in the vault before it goes. One that was
 * adopted is not ours to touch; of it only the record ends.
 */
export async function endInstance(
  work: SystemWork,
  instance: Instance,
  ask: { to?: InstanceStatus; reason: string; graceMs?: number },
): Promise<Instance> {
  const ended = await moveInstance(work, instance, ask.to ?? "terminated", { reason: ask.reason });
  if (instance.origin === "adopted") return ended;
  const agentId = AgentId.parse(instance.id);
  // What was merged is done: its task does not go back to the queue for somebody to do it again (IN17).
  await (ask.to === "pr_merged" ? takeOffline(work, agentId) : retireLaunched(work, agentId));
  // Whoever has just spoken still waits for its answer; its token ends with its program.
  if (instance.tokenId !== null && !ask.graceMs) await revokeInstanceToken(work, instance.tokenId);
  // One that is being started is ended as soon as it has.
  if (instance.run?.state !== "starting") askToEnd(work, instance, ask);
  return ended;
}

function askToEnd(work: SystemWork, { id, run }: Instance, { graceMs = 0 }: { graceMs?: number }): void {
  const payload = { instanceId: id, graceMs };
  work.after(endProgram.ask({ key: `${id}/${run?.turn ?? 0}`, subject: id, payload }));
}

/** Ends a program and whatever it has started; then its folder is stored and removed. */
const endProgram = defineErrand<EndInstance, { readonly exitCode: number | null }>({
  name: "instance.end",
  timeoutMs: 120_000,
  mostAttempts: 5,
  mostAtOnce: 8,
  async done(work, { instanceId }, { exitCode }) {
    const instance = await getInstance(work.db, instanceId);
    const { run, tokenId } = instance;
    if (tokenId !== null) await revokeInstanceToken(work, tokenId);
    if (run && run.state !== "ended" && run.state !== "failed") {
      await noteProcessEnded(work, instance, { exitCode, at: work.now });
    }
    if (instance.worktreeId !== null) await leaveInstanceWorktree(work, instance.worktreeId);
  },
  async failed(work, { instanceId }, { code }) {
    const instance = await getInstance(work.db, instanceId);
    work.record(instanceEvent.endFailed(instance.id, { code }, channelsOf(instance)));
  },
});

/** Starts the program of an instance that a person asked for. */
export const launchProgram = defineErrand<LaunchInstance, LaunchedInstance>({
  name: "instance.launch",
  timeoutMs: 600_000,
  mostAttempts: 3,
  done: noteLaunched,
  async failed(work, payload, failure) {
    const instance = await noteLaunchFailed(work, payload, failure);
    if (!isOver(instance)) await endInstance(work, instance, { reason: "Its program could not be started." });
  },
});

/** Tells a program something while it runs in its terminal. */
const sayToProgram = defineErrand<SayToInstance, { readonly isHeard: boolean }>({
  name: "instance.say",
  timeoutMs: 60_000,
  mostAttempts: 2,
  async done(work, { instanceId, text }, { isHeard }) {
    const instance = await getInstance(work.db, instanceId);
    if (!isHeard || instance.run === null) return;
    const told = addTold(instance.run.told, { turn: instance.run.turn, at: work.now, text });
    // What was added meanwhile is on its way by itself.
    const words = instance.run.words === text ? null : instance.run.words;
    await saveInstance(work.db, instance, { run: changed(instance, { words, told }) });
  },
  failed: async () => undefined,
});

/** The next turn of an instance that we started: it is told while it runs, or started again to be told (IN16). */
export async function tellInstance(work: SystemWork, id: InstanceId, words: string): Promise<void> {
  const instance = await getInstance(work.db, id);
  if (instance.origin === "adopted" || isOver(instance) || instance.run === null) return;
  // What it was not told yet is not lost by what it is told next.
  const all = instance.run.words === null ? words : `${instance.run.words}\n\n${words}`;
  const told = { ...instance, run: changed(instance, { words: all }) };
  if (instance.run.state === "ended") return goOnTold(work, told);
  await saveInstance(work.db, instance, { run: told.run });
  sayWords(work, told);
}

/** Types what an instance is still to be told into its terminal; where that cannot be, it stays with it. */
export function sayWords(work: SystemWork, { id, run }: Instance): void {
  if (run === null || run.words === null) return;
  const payload = { instanceId: id, text: run.words };
  work.after(sayToProgram.ask({ key: `${id}/${work.newId("errand")}`, subject: id, payload }));
}

/** Starts a program again that has ended and is still to be told something; it waits for room like any other. */
export async function goOnTold(work: SystemWork, instance: Instance): Promise<void> {
  const turn = (instance.run?.turn ?? 0) + 1;
  await saveInstance(work.db, instance, { run: changed(instance, { state: "queued", turn }) });
}

export const instanceErrands: readonly AnyErrandKind[] = [launchProgram, endProgram, sayToProgram];

const changed = ({ run }: Instance, changes: Partial<InstanceRun>): InstanceRun => {
  if (run === null) throw new Error("only what we launch has a run");
  return { ...run, ...changes };
};

const channelsOf = ({ id, parentId }: Instance): string[] => [
  `agent:${id}`,
  ...(parentId === null ? [] : [`instance:${parentId}`]),
];
