import type { Agent } from "../agent/model.ts";
import { listAgentsById } from "../agent/queries.ts";
import type { PeerMessage } from "../message/peer-model.ts";
import { listPeerMessages } from "../message/peer-queries.ts";
import type { Work } from "../work.ts";
import type { CodeClaim } from "./model.ts";
import { findClaim } from "./queries.ts";
import { isLive, mayRelease } from "./rules.ts";

interface RefusedWish {
  /** What the holder was told when the caller wanted the same code. */
  readonly message: PeerMessage;
  /** What stands in the way, still. */
  readonly claim: CodeClaim;
  readonly agent: Agent | undefined;
  readonly mayRelease: boolean;
}

/** What agents of the caller's could not claim because of what others hold to this moment, newest first. */
export async function listRefusedWishes(work: Work, limit: number): Promise<RefusedWish[]> {
  const { developerId } = work.caller;
  const told = await listPeerMessages(work.db, { type: "conflict", from: developerId, liveAt: work.now, limit });
  const wishes: { message: PeerMessage; claim: CodeClaim }[] = [];
  for (const message of told) {
    const { claimId } = message.detail;
    const claim = claimId === undefined ? undefined : await findClaim(work.db, claimId);
    if (claim && isLive(claim, work.now)) wishes.push({ message, claim });
  }
  const agents = await listAgentsById(
    work.db,
    wishes.flatMap(({ claim }) => claim.sessionId ?? []),
  );
  return wishes.map(({ message, claim }) => ({
    message,
    claim,
    agent: claim.sessionId === null ? undefined : agents.get(claim.sessionId),
    mayRelease: mayRelease(claim, work.caller),
  }));
}
