import { AgentId, InstanceId } from "../../contract/ids.ts";
import { Refusal } from "../../contract/refusal.ts";
import { endInstance, tellInstance } from "../instance/launch-operations.ts";
import type { Instance } from "../instance/model.ts";
import { getCalling, lookWhoCalls, type Sighting } from "../instance/operations.ts";
import { findInstance, getInstance } from "../instance/queries.ts";
import type { Look } from "../port.ts";
import { checkMayApprove, endReviewWithPull } from "../review/end-operations.ts";
import type { SystemWork, Work } from "../work.ts";
import type { Pull } from "./model.ts";
import type { Survey } from "./port.ts";

/** What was seen before an instance's pull request is decided; what speaks against it is said once the caller is known. */
export interface SeenWork {
  readonly sighting: Sighting;
  readonly survey: Survey | Refusal;
  readonly page: string;
}

/** Looks at the branch that the caller's pull request is for: its own, or for a reviewer that of whom it reviews. */
export async function lookAtWork(look: Look, base: string | null): Promise<SeenWork> {
  const sighting = await lookWhoCalls(look);
  const page = look.ports.pull.pageAddress();
  return { sighting, page, survey: await surveyWork(look, sighting, base).catch(orRefusal) };
}

async function surveyWork(look: Look, { type, workTree }: Sighting, base: string | null): Promise<Survey> {
  const coder = type === "review" ? await look.read((db) => getReviewed(db, look.caller.instanceId)) : undefined;
  const branch = coder ? coder.branch : workTree.branch;
  if (branch === null) {
    throw new Refusal("INVALID_STATE", "No branch is checked out.", "Commit your work to a branch, then call again.");
  }
  const own = look.caller.instanceId === null ? undefined : await look.read((db) => findCaller(db, look));
  const ownBase = coder?.baseBranch ?? own?.baseBranch ?? workTree.baseBranch;
  const { repositoryPath } = coder ?? workTree;
  return look.ports.pull.survey({ repositoryPath, branch, base, ownBase }, look.signal);
}

const findCaller = (db: Parameters<typeof findInstance>[0], { caller }: Look): Promise<Instance | undefined> =>
  caller.instanceId === null ? Promise.resolve(undefined) : findInstance(db, caller.instanceId);

async function getReviewed(db: Parameters<typeof findInstance>[0], id: InstanceId | null): Promise<Instance> {
  const reviewer = id === null ? undefined : await findInstance(db, id);
  if (!reviewer || reviewer.parentId === null) throw new Refusal("INVALID_STATE", "This reviewer reviews nobody.");
  return getInstance(db, reviewer.parentId);
}

function orRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  throw error;
}

/** Whose pull request it is, and who approves it by opening it. Refuses what was seen to speak against it. */
export async function decideWork(
  work: Work,
  { sighting, survey }: SeenWork,
): Promise<{ readonly survey: Survey; readonly agentId: AgentId; readonly approvedById: InstanceId | null }> {
  const caller = await getCalling(work, sighting, ["coding", "review", "planning"]);
  const isReviewer = caller.type === "review";
  const owner = isReviewer ? await getReviewed(work.db, caller.id) : caller;
  if (isReviewer) await checkMayApprove(work, caller);
  else checkCommitted(sighting);
  if (survey instanceof Refusal) throw survey;
  checkMayOpen(owner);
  return { survey, agentId: AgentId.parse(owner.id), approvedById: isReviewer ? caller.id : null };
}

const mostNamed = 10;

function checkCommitted({ workTree: { uncommitted, uncommittedCount, underWay } }: Sighting): void {
  if (uncommittedCount > 0) {
    const more = uncommittedCount > mostNamed ? ` and ${uncommittedCount - mostNamed} more` : "";
    throw new Refusal(
      "INVALID_STATE",
      `Uncommitted files: ${uncommitted.slice(0, mostNamed).join(", ")}${more}.`,
      "Commit, ignore or remove them, then call again.",
      { uncommitted: [...uncommitted] },
    );
  }
  if (underWay === null) return;
  throw new Refusal("INVALID_STATE", `A ${underWay} is under way.`, "Finish or abort it, then call again.");
}

function checkMayOpen({ status, id }: Instance): void {
  if (status === "started" || status === "waiting_review" || status === "pr_created") return;
  throw new Refusal("INVALID_STATE", `Instance ${id} is ${status}.`, "Nothing follows this status.", { status });
}

/** The agent's work has its pull request now, and a review of it is over. One that ended meanwhile stays as it is. */
export async function noteOpened(work: SystemWork, { agentId, approvedById, number, url }: Pull): Promise<void> {
  const author = await findOwner(work, agentId);
  if (!author || number === null || url === null) return;
  if (author.status !== "started" && author.status !== "waiting_review") return;
  const reviewer = approvedById === null ? undefined : await findInstance(work.db, approvedById);
  await endReviewWithPull(work, reviewer ?? author, { number, url });
}

export async function noteEnded(work: SystemWork, { agentId }: Pull, status: "merged" | "closed"): Promise<void> {
  const instance = await findOwner(work, agentId);
  if (instance?.status !== "pr_created") return;
  const reason = `Its pull request was ${status}.`;
  await endInstance(work, instance, { to: status === "merged" ? "pr_merged" : "pr_closed", reason });
}

const findOwner = async (work: SystemWork, agentId: AgentId | null): Promise<Instance | undefined> =>
  agentId === null ? undefined : findInstance(work.db, InstanceId.parse(agentId));

/** How many reviews an agent's work has had. */
export const countRounds = async (work: SystemWork, agentId: AgentId): Promise<number> =>
  (await findOwner(work, agentId))?.reviewIteration ?? 0;

/** An agent that we started goes on with its next turn; for others the message is all (IN16). */
export async function tellAgent(work: SystemWork, agentId: AgentId, words: string): Promise<void> {
  const instance = await findOwner(work, agentId);
  if (instance) await tellInstance(work, instance.id, words);
}
