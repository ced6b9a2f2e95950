import { AgentId, InstanceId } from "../../contract/ids.ts";
import { Refusal } from "../../contract/refusal.ts";
import { enrolAgent, reviveAgent } from "../agent/operations.ts";
import type { Look } from "../port.ts";
import type { SystemWork, Work } from "../work.ts";
import { instanceEvent } from "./events.ts";
import type { Instance, InstanceStatus, InstanceType } from "./model.ts";
import type { WorkTree } from "./port.ts";
import { findInstance, getInstance, listAdopted } from "./queries.ts";
import { checkType, decideStep, isOver, isSameWork, nameInstance, readRole } from "./rules.ts";
import { guardAdoption, insertInstance, saveInstance } from "./store.ts";

/** What was seen of whoever calls a review tool, before its transaction. */
export interface Sighting {
  readonly type: InstanceType;
  readonly workTree: WorkTree;
  /** Null before its first call. */
  readonly instanceId: InstanceId | null;
}

/**
 * Looks who calls, for a tool's `observe` (IN3–IN6). A launched instance is known by its token and is looked up where
 * we put it; anybody else sits in the work tree that the connection names.
 */
export async function lookWhoCalls(look: Look): Promise<Sighting> {
  const { instanceId } = look.caller;
  if (instanceId !== null) {
    const { type, worktreePath, place } = await look.read((db) => getInstance(db, instanceId));
    if (place !== look.place) throw new Refusal("INVALID_STATE", "That instance works on another server's machine.");
    const workTree = await look.ports.instance.readWorkTree(worktreePath, look.signal);
    if (!workTree) throw new Refusal("INVALID_STATE", "The work tree of this instance is gone.");
    return { type, workTree, instanceId };
  }
  const type = readRole(look.seat.role);
  const workTree = await readSeat(look);
  const known = await look.read((db) => findAdopted({ db, ...look }, { type, workTree, instanceId: null }));
  if (known) look.actsAs(known.id);
  return { type, workTree, instanceId: known?.id ?? null };
}

async function readSeat({ seat, ports, signal }: Look): Promise<WorkTree> {
  const { folder, isHere } = seat;
  const workTree = isHere && folder !== undefined ? await ports.instance.readWorkTree(folder, signal) : undefined;
  if (workTree) return workTree;
  throw new Refusal(
    "INVALID_REQUEST",
    folder === undefined
      ? "It is not known in which work tree you work."
      : isHere
        ? "The folder you work in lies in no git work tree."
        : "Reviews are for work trees on the server's own machine.",
    "Call through `crewdeck mcp --repo DIR` on this machine or, over HTTP, send the header X-Crewdeck-Repo with the work tree's path, percent-encoded.",
  );
}

/** The instance that calls, found or made (IN4): for a tool's `enter`, so that it is there even if the call is refused. */
export async function enterInstance(work: Work, sighting: Sighting): Promise<void> {
  const known = await findCalling(work, sighting);
  const instance = known ?? (await adopt(work, sighting));
  work.actsAs(instance.id);
  if (!known || instance.origin !== "adopted" || isOver(instance)) return;
  const { branch } = sighting.workTree;
  const hasMoved = branch !== instance.branch && instance.status === "started";
  await saveInstance(work.db, instance, { lastActivityAt: work.now, ...(hasMoved ? { branch } : {}) });
  await reviveAgent(work, AgentId.parse(instance.id));
}

/** Who calls, as a type that the tool is for. What `enter` has made is there by now. */
export async function getCalling(work: Work, sighting: Sighting, types: readonly InstanceType[]): Promise<Instance> {
  const instance = await findCalling(work, sighting);
  if (!instance) throw new Refusal("STALE", "The instance changed meanwhile.");
  work.actsAs(instance.id);
  checkType(instance, types);
  return instance;
}

async function findCalling(work: Work, sighting: Sighting): Promise<Instance | undefined> {
  const { instanceId } = work.caller;
  return instanceId === null ? findAdopted(work, sighting) : findInstance(work.db, instanceId);
}

async function findAdopted(
  { db, caller, place }: Pick<Work, "db" | "caller" | "place">,
  { type, workTree }: Sighting,
): Promise<Instance | undefined> {
  const { developerId } = caller;
  const known = await listAdopted(db, { developerId, place, worktreePath: workTree.path, type });
  const { branch } = workTree;
  return known.find((one) => one.branch === branch) ?? known.find((one) => isSameWork(one, branch));
}

async function adopt(work: Work, { type, workTree }: Sighting): Promise<Instance> {
  await guardAdoption(work.db, work.caller.developerId);
  const { path, repositoryPath, branch, baseBranch } = workTree;
  const instance = await createInstance(work, {
    type,
    origin: "adopted",
    developerId: work.caller.developerId,
    repositoryPath,
    worktreePath: path,
    branch,
    baseBranch,
  });
  work.connection.appears(AgentId.parse(instance.id));
  return instance;
}

type NewInstance = Pick<
  Instance,
  "type" | "origin" | "developerId" | "repositoryPath" | "worktreePath" | "branch" | "baseBranch"
> &
  Partial<
    Pick<
      Instance,
      | "id"
      | "tokenId"
      | "worktreeId"
      | "program"
      | "sessionName"
      | "parentId"
      | "taskId"
      | "reviewIteration"
      | "run"
      | "prompt"
    >
  > & { readonly staleAfterMs?: number };

/** An instance and, under the same id, the agent that others can write to. */
export async function createInstance(work: SystemWork, ask: NewInstance): Promise<Instance> {
  const { staleAfterMs, ...fields } = ask;
  const id = fields.id ?? InstanceId.parse(nameInstance(ask.type, work.randomBytes(8)));
  const instance: Instance = {
    tokenId: null,
    worktreeId: null,
    program: null,
    sessionName: null,
    parentId: null,
    taskId: null,
    reviewIteration: 0,
    run: null,
    prompt: null,
    ...fields,
    id,
    status: "started",
    place: work.place,
    grantedRounds: 0,
    pullNumber: null,
    pullUrl: null,
    endReason: null,
    createdAt: work.now,
    updatedAt: work.now,
    lastActivityAt: work.now,
    terminatedAt: null,
    version: 1,
  };
  const { developerId, tokenId, worktreePath } = instance;
  await enrolAgent(work, { id: AgentId.parse(id), developerId, tokenId, workspacePath: worktreePath, staleAfterMs });
  await insertInstance(work.db, instance);
  const { type, origin, status, branch, parentId } = instance;
  work.record(
    instanceEvent.created(id, { type, origin, status, branch_name: branch, parent_instance_id: parentId }, [
      `agent:${id}`,
    ]),
  );
  return instance;
}

/** Takes an instance to another status, if that is a legal step. */
export async function moveInstance(
  work: SystemWork,
  instance: Instance,
  to: InstanceStatus,
  {
    reason = null,
    ...more
  }: Partial<Pick<Instance, "pullNumber" | "pullUrl" | "reviewIteration" | "branch">> & { reason?: string | null } = {},
): Promise<Instance> {
  const step = decideStep(instance, to, work.now);
  const changes: Partial<Instance> = { ...step, ...more, ...(step.terminatedAt == null ? {} : { endReason: reason }) };
  await saveInstance(work.db, instance, changes);
  const { id, status: from, parentId } = instance;
  const channels = [`agent:${id}`, ...(parentId === null ? [] : [`instance:${parentId}`])];
  work.record(instanceEvent.statusChanged(id, { from, status: to, reason }, channels));
  return { ...instance, ...changes, version: instance.version + 1 };
}

/** One more round than the limit. Answers how many were allowed by now. */
export async function noteGrant(work: SystemWork, instance: Instance): Promise<number> {
  const grantedRounds = instance.grantedRounds + 1;
  await saveInstance(work.db, instance, { grantedRounds, updatedAt: work.now });
  return grantedRounds;
}
