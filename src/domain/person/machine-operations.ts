import type { Work } from "../work.ts";
import { machineEvent } from "./machine-events.ts";
import { type Machine, machineKeptMs } from "./machine-model.ts";
import { findOutdated, withWhatWasHeard } from "./machine-rules.ts";
import { deleteMachine, insertMachine, listMachines, listMachinesToChange, saveMachine } from "./machine-store.ts";

/** Keeps how a machine of the caller's is set up now, in the place of what was known. Answers whether anything changed. */
export async function reportMachine(
  work: Work,
  ask: Pick<Machine, "name" | "repository" | "companionVersion" | "state">,
): Promise<boolean> {
  const { developerId } = work.caller;
  const known = await listMachinesToChange(work.db, developerId);
  const same = known.find(({ name, repository }) => name === ask.name && repository === ask.repository);
  const others = known.filter((machine) => machine !== same);
  for (const machine of findOutdated(others, work.now)) await deleteMachine(work.db, machine);
  const state = same === undefined ? ask.state : withWhatWasHeard(ask.state, same.state);
  const { companionVersion } = ask;
  if (same === undefined) {
    await insertMachine(work.db, { ...ask, state, developerId, reportedAt: work.now, version: 1 });
  } else {
    await saveMachine(work.db, same, { companionVersion, state, reportedAt: work.now });
  }
  const isNew =
    same === undefined ||
    same.companionVersion !== companionVersion ||
    JSON.stringify(same.state) !== JSON.stringify(state);
  if (isNew) work.record(machineEvent.reported(developerId, { machine_name: ask.name }));
  return isNew;
}

/** The caller's own machines: how somebody else's clients are set up is theirs to know. */
export const listOwnMachines = (work: Work): Promise<Machine[]> =>
  listMachines(work.db, { developerId: work.caller.developerId, since: work.now - machineKeptMs });
