import type { Caller } from "../../contract/caller.ts";
import type { TaskId } from "../../contract/ids.ts";
import { nextStep } from "../../contract/next-step.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { Db } from "../../storage/db.ts";
import type { Look } from "../port.ts";
import { findTask } from "../task/queries.ts";
import type { Evidence, Receipt } from "./model.ts";
import { findPermit } from "./permit-queries.ts";
import type { CheckRun, EvidencePorts } from "./port.ts";
import { findEvidence } from "./queries.ts";

/** A receipt held against the folder it is about. */
export interface VerifiedReceipt {
  readonly evidence: Evidence;
  readonly receipt: Receipt;
  /** Changed files that are no longer what the receipt says. */
  readonly staleFiles: readonly string[];
  /** How the checks ended just now, where it was asked for. */
  readonly rerun: CheckRun | null;
}

/** What verifying needs, with or without a server around it. */
interface ReceiptLook extends Pick<Look, "read" | "place" | "signal"> {
  readonly ports: { readonly evidence: Pick<EvidencePorts, "listStale" | "readChecks" | "identifyTree" | "runChecks"> };
}

/** Looks at the files of a receipt again; runs nothing unless it is asked to. Nothing is recorded. */
export async function verifyReceipt(
  look: ReceiptLook,
  taskId: TaskId,
  options: { readonly runsChecks: boolean },
): Promise<VerifiedReceipt> {
  const { evidence, receipt } = await getReceipt(look, taskId);
  const { snapshot } = evidence;
  const ask = { type: snapshot.type, root: snapshot.root, hashes: receipt.changes.hashes };
  const staleFiles = snapshot.type === "none" ? [] : await look.ports.evidence.listStale(ask, look.signal);
  return { evidence, receipt, staleFiles, rerun: options.runsChecks ? await runAgain(look, snapshot.root) : null };
}

/** What a task can show for itself; refuses where it has nothing yet. */
export async function getReceipt(
  { read }: Pick<Look, "read">,
  taskId: TaskId,
): Promise<{ evidence: Evidence; receipt: Receipt }> {
  const evidence = await read((db) => findEvidence(db, taskId));
  if (!evidence) throw new Refusal("NOT_FOUND", "No task of a mission has that id.", nextStep("startTask"));
  const { receipt } = evidence;
  if (!receipt) throw new Refusal("INVALID_STATE", "The task has no receipt yet.", nextStep("completeTask"));
  return { evidence, receipt };
}

/** Receipts are their developer's and the owner's to look into: they name files and run checks. */
export async function checkMayVerify(db: Db, taskId: TaskId, caller: Caller): Promise<void> {
  const task = await findTask(db, taskId);
  if (!task || caller.role === "owner" || task.developerId === caller.developerId) return;
  throw new Refusal("FORBIDDEN", "That task is another developer's.", "Ask them, or the team's owner.");
}

async function runAgain({ read, ports: { evidence }, place, signal }: ReceiptLook, folder: string): Promise<CheckRun> {
  const configured = await evidence.readChecks(folder, signal);
  if (!configured || configured.problem !== null) {
    throw new Refusal("INVALID_STATE", "The repository has no checks that can be run.", "See .crewdeck/checks.json.");
  }
  const permit = await read((db) => findPermit(db, place, configured.repository));
  if (permit?.configHash !== configured.configHash) {
    throw new Refusal("FORBIDDEN", "Nobody has allowed these checks.", "Allow them with: crewdeck checks allow PATH");
  }
  const tree = await evidence.identifyTree(folder, signal);
  return evidence.runChecks({ folder, configHash: configured.configHash, tree }, signal);
}
