import type { Hand } from "../../domain/errand.ts";
import type { CheckOutcome, CheckRun, ChecksAsk, TreeIdentity } from "../../domain/evidence/port.ts";
import { identifyTree } from "../evidence/snapshot.ts";
import { readChecks } from "./configuration.ts";
import { runCheck } from "./run-check.ts";

/**
 * Runs the checks of a folder one after the other, all of them, on exactly the tree that was asked about. Commands are
 * read from the repository's file at this moment and only if it is, byte for byte, the one a person has allowed.
 */
export async function runChecks(ask: ChecksAsk, signal: AbortSignal): Promise<CheckRun> {
  const configured = await readChecks(ask.folder, signal);
  if (configured?.configHash !== ask.configHash || !(await isTree(ask, signal))) return { state: "moved", results: [] };
  const results: CheckOutcome[] = [];
  for (const check of configured.checks) results.push(await runCheck(check, { folder: ask.folder, signal }));
  // Somebody may have worked on meanwhile, or a check may have written into the tree: then it says nothing about it.
  return { state: (await isTree(ask, signal)) ? "done" : "moved", results };
}

const isTree = async ({ folder, tree }: ChecksAsk, signal: AbortSignal): Promise<boolean> =>
  isSame(await identifyTree(folder, signal), tree);

const isSame = (one: TreeIdentity, other: TreeIdentity): boolean =>
  one.head === other.head && one.digest === other.digest;

/** What checks do for the house, by kind of work. */
export const checkHands: Readonly<Record<"evidence.check", Hand<ChecksAsk, CheckRun>>> = {
  "evidence.check": { run: (ask, { signal }) => runChecks(ask, signal) },
};
