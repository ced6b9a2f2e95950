import type { PeerMessage, PeerType } from "../message/peer-model.ts";
import { listPeerMessages } from "../message/peer-queries.ts";
import type { Work } from "../work.ts";
import type { CodeClaim } from "./model.ts";
import { listLiveClaims } from "./queries.ts";

/** What a developer has to know of the others, each list no longer than a screen: messages newest first, the own claims first. */
interface Coordination {
  readonly asksToMe: readonly PeerMessage[];
  readonly asksFromMe: readonly PeerMessage[];
  readonly answers: readonly PeerMessage[];
  readonly handoffsToMe: readonly PeerMessage[];
  readonly handoffsFromMe: readonly PeerMessage[];
  readonly claims: readonly CodeClaim[];
  readonly announcements: readonly PeerMessage[];
  /** That others want what the caller still holds. */
  readonly conflicts: readonly PeerMessage[];
  /** The lists that have more than is shown. */
  readonly cut: readonly string[];
}

const mostMessages = 20;
const mostClaims = 50;
const answersShownMs = 7 * 24 * 3_600_000;
const longestAnnouncementMs = 7 * 24 * 3_600_000;

export async function readCoordination(work: Work): Promise<Coordination> {
  const me = work.caller.developerId;
  const cut: string[] = [];
  const shorten = <T>(name: string, list: readonly T[], most: number): readonly T[] => {
    if (list.length > most) cut.push(name);
    return list.slice(0, most);
  };
  const read = async (name: string, type: PeerType, filter: Omit<Parameters<typeof listPeerMessages>[1], "limit">) =>
    shorten(name, await listPeerMessages(work.db, { type, ...filter, limit: mostMessages + 1 }), mostMessages);
  const liveAt = work.now;
  const held = await listLiveClaims(work.db, { liveAt, developerId: me, limit: mostClaims + 1 });
  const others = (await listLiveClaims(work.db, { liveAt, limit: mostClaims + 1 })).filter(
    ({ developerId }) => developerId !== me,
  );
  const notices = await read("conflicts", "conflict", { to: me, isOpen: true, liveAt });
  return {
    asksToMe: await read("asks_to_me", "ask", { to: me, isOpen: true }),
    asksFromMe: await read("asks_from_me", "ask", { from: me, isOpen: true }),
    answers: await read("answers", "reply", { to: me, since: work.now - answersShownMs }),
    handoffsToMe: await read("handoffs_to_me", "handoff", { to: me, isOpen: true }),
    handoffsFromMe: await read("handoffs_from_me", "handoff", { from: me, isOpen: true }),
    claims: shorten("claims", [...held, ...others], mostClaims),
    announcements: await read("announcements", "announcement", { liveAt, since: liveAt - longestAnnouncementMs }),
    conflicts: notices.filter(({ detail }) => held.some(({ id }) => id === detail.claimId)),
    cut,
  };
}
