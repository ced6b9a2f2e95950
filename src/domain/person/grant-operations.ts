import type { AgentType } from "../../contract/caller.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { SystemWork, Work } from "../work.ts";
import { hashDeviceCode, hashUserCode, makeDeviceCode, makeUserCode } from "./grant-code.ts";
import { deviceEvent } from "./grant-events.ts";
import { type Grant, grantLivesMs, mostPending } from "./grant-model.ts";
import {
  checkGuesses,
  currentGuesses,
  decidePoll,
  decideVerdict,
  type PollOutcome,
  type Verdict,
} from "./grant-rules.ts";
import {
  countPending,
  deleteOldGrants,
  findGrantByCode,
  findGrantByUserCode,
  findGuesses,
  insertGrant,
  listGrants,
  saveGrant,
  saveGuesses,
  shortenGrants,
} from "./grant-store.ts";
import { mintToken } from "./operations.ts";

const rememberedMs = 24 * 3_600_000;

/** A machine asks. Its two codes are answered this once and kept as hashes only. */
export async function requestDevice(
  work: SystemWork,
  ask: { machineName: string; agents: readonly AgentType[] },
): Promise<{ deviceCode: string; userCode: string }> {
  await deleteOldGrants(work.db, work.now - rememberedMs);
  if ((await countPending(work.db, work.now)) >= mostPending) {
    throw new Refusal("RATE_LIMITED", "Too many machines wait for approval.", undefined, { retryAfterSeconds: 60 });
  }
  const device = makeDeviceCode(work.randomBytes(32));
  const user = makeUserCode(work.randomBytes(8));
  const grant: Grant = {
    id: work.newId("grant"),
    codeHash: device.hash,
    userCodeHash: user.hash,
    machineName: ask.machineName,
    agents: ask.agents,
    status: "pending",
    developerId: null,
    expiresAt: work.now + grantLivesMs,
    lastPollAt: null,
    createdAt: work.now,
    version: 1,
  };
  await insertGrant(work.db, grant);
  work.record(deviceEvent.requested(grant.id, { machine_name: grant.machineName, agents: [...grant.agents] }));
  return { deviceCode: device.text, userCode: user.text };
}

export interface Polled {
  readonly outcome: PollOutcome;
  /** The text of a token for each agent, the one time it is there. */
  readonly tokens?: Readonly<Record<string, string>>;
}

/**
 * The machine asks again. Every poll saves the version it read, so of several at once one comes through; the others run
 * again and find that it was a moment ago.
 */
export async function pollDevice(work: SystemWork, deviceCode: string): Promise<Polled> {
  const grant = await findGrantByCode(work.db, hashDeviceCode(deviceCode));
  if (!grant) throw new Refusal("NOT_FOUND", "No machine was given that code.", "Ask for a new one.");
  const outcome = decidePoll(grant, work.now);
  const { developerId } = grant;
  if (outcome !== "approved" || developerId === null) {
    await saveGrant(work.db, grant, { lastPollAt: work.now });
    return { outcome };
  }
  await saveGrant(work.db, grant, { lastPollAt: work.now, status: "consumed" });
  const tokens: Record<string, string> = {};
  for (const agentType of grant.agents) {
    const label = `${agentType} on ${grant.machineName}`.slice(0, 100);
    tokens[agentType] = (await mintToken(work, { developerId, label, agentType })).text;
  }
  work.record(deviceEvent.consumed(grant.id, { developer_id: developerId }));
  return { outcome, tokens };
}

/**
 * A person decides about the machine that shows this code. A wrong code is an answer and not a refusal, because it must
 * be remembered: it counts towards the few that a person may type.
 */
export async function judgeDevice(work: Work, typed: string, verdict: Verdict): Promise<Grant | undefined> {
  const { caller, now } = work;
  const guesses = currentGuesses(await findGuesses(work.db, caller.developerId), now);
  checkGuesses(guesses, now);
  const grant = await findGrantByUserCode(work.db, hashUserCode(typed));
  const decision = decideVerdict(grant, { verdict, caller, now });
  if (!grant || decision.kind === "unknown") {
    await saveGuesses(work.db, caller.developerId, { ...guesses, count: guesses.count + 1 });
    return undefined;
  }
  if (!decision.isNew) return grant;
  const changes = { status: verdict, developerId: caller.developerId };
  await saveGrant(work.db, grant, changes);
  const data = { developer_id: caller.developerId, machine_name: grant.machineName, agents: [...grant.agents] };
  work.record(deviceEvent[verdict](grant.id, data));
  return { ...grant, ...changes };
}

export const listDevices = (work: Work): Promise<Grant[]> =>
  listGrants(work.db, { developerId: work.caller.developerId, now: work.now });

/** No request waits for longer than a new one, whatever the clock said when it came. */
export const settleGrants = (work: SystemWork): Promise<void> => shortenGrants(work.db, work.now);
