import type { Caller } from "../../contract/caller.ts";
import type { InstanceId } from "../../contract/ids.ts";
import { Refusal } from "../../contract/refusal.ts";
import { endInstance } from "../instance/launch-operations.ts";
import type { Instance } from "../instance/model.ts";
import { noteGrant } from "../instance/operations.ts";
import { findInstance } from "../instance/queries.ts";
import { readViewer } from "../person/viewer-queries.ts";
import type { Work } from "../work.ts";
import { loseReview } from "./end-operations.ts";
import { reviewEvent } from "./events.ts";
import { findLiveReview, findReview } from "./queries.ts";

/** An instance that the caller may see; one of somebody private is as unknown as one that is none. */
export async function getSeenInstance(work: Pick<Work, "db" | "caller">, id: InstanceId): Promise<Instance> {
  const instance = await findInstance(work.db, id);
  if (instance && (await readViewer(work)).knows(instance)) return instance;
  throw new Refusal("INSTANCE_NOT_FOUND", "No instance has that id.");
}

/** One that the caller may act on: its developer's own, or anybody's for the owner (IN13). */
export async function getOwnInstance(work: Pick<Work, "db" | "caller">, id: InstanceId): Promise<Instance> {
  const instance = await getSeenInstance(work, id);
  if (maySteer(work.caller, instance)) return instance;
  throw new Refusal("FORBIDDEN", "That instance is another developer's.", "Ask them, or the owner.");
}

export const maySteer = ({ developerId, role }: Caller, instance: Instance): boolean =>
  instance.developerId === developerId || role === "owner";

/** Stops an instance of ours at once, and the review it is part of (IN14). */
export async function stopInstance(work: Work, id: InstanceId): Promise<Instance> {
  const instance = await getOwnInstance(work, id);
  if (instance.origin === "adopted") {
    throw new Refusal(
      "INVALID_STATE",
      "We did not start that agent, so it is not ours to stop.",
      "End it where it runs.",
    );
  }
  return endByHand(work, instance, "terminated");
}

/** Gives an instance's work up. One that was adopted goes on running; only its record ends. */
export async function abandonInstance(work: Work, id: InstanceId): Promise<Instance> {
  return endByHand(work, await getOwnInstance(work, id), "abandoned");
}

async function endByHand(work: Work, instance: Instance, to: "terminated" | "abandoned"): Promise<Instance> {
  const { id, type } = instance;
  const own = type === "review" ? await findReview(work.db, id) : undefined;
  if (own?.outcome === "live" && to === "terminated") {
    await loseReview(work, own, "stopped");
    return getSeenInstance(work, id);
  }
  const live = type === "coding" ? await findLiveReview(work.db, id) : undefined;
  if (live) await loseReview(work, live, "stopped");
  const reason = to === "terminated" ? "A person stopped it." : "A person abandoned it.";
  return endInstance(work, await getSeenInstance(work, id), { to, reason });
}

/** Allows a coder one more round (RV18). */
export async function grantRound(work: Work, id: InstanceId): Promise<number> {
  const coder = await getOwnInstance(work, id);
  if (coder.type !== "coding") {
    throw new Refusal(
      "INVALID_STATE",
      "Only a coding instance has rounds.",
      "Name the instance whose work is reviewed.",
    );
  }
  const granted = await noteGrant(work, coder);
  work.record(reviewEvent.granted(id, { granted_rounds: granted }, [`instance:${id}`]));
  return granted;
}
