import type { Caller } from "../../contract/caller.ts";
import type { InstanceId } from "../../contract/ids.ts";
import type { Instance } from "../instance/model.ts";
import type { Look } from "../port.ts";
import { lookAtWork, type SeenWork } from "../pull/instance-operations.ts";
import type { Pull } from "../pull/model.ts";
import { openForInstance } from "../pull/operations.ts";
import { requestReview } from "../review/operations.ts";
import { getOwnInstance } from "../review/person-operations.ts";
import type { Work } from "../work.ts";
import { lookAtReviewed } from "./review-operations.ts";
import type { PackVoice } from "./task-context.ts";

/** A person asks for what the agent could have asked for itself: the same rules hold, and it is the agent's work (IN23). */

type ReviewParts = Parameters<typeof requestReview>;

export async function lookAtReviewOf(look: Look, id: InstanceId, voice: PackVoice): Promise<ReviewParts[1]> {
  return lookAtReviewed(await lookFor(look, id), voice);
}

export async function requestReviewOf(
  work: Work,
  id: InstanceId,
  seen: ReviewParts[1],
  ask: ReviewParts[2],
): Promise<Instance> {
  await getOwnInstance(work, id);
  return requestReview(speakFor(work, id), seen, ask);
}

export async function lookAtWorkOf(look: Look, id: InstanceId, base: string | null): Promise<SeenWork> {
  return lookAtWork(await lookFor(look, id), base);
}

export async function openPullOf(
  work: Work,
  id: InstanceId,
  ask: { readonly seen: SeenWork; readonly title: string; readonly description: string },
): Promise<Pull> {
  await getOwnInstance(work, id);
  return openForInstance(speakFor(work, id), ask);
}

async function lookFor(look: Look, id: InstanceId): Promise<Look> {
  await look.read((db) => getOwnInstance({ db, caller: look.caller }, id));
  return speakFor(look, id);
}

const speakFor = <Ground extends { readonly caller: Caller }>(ground: Ground, id: InstanceId): Ground => ({
  ...ground,
  caller: { ...ground.caller, instanceId: id },
});
