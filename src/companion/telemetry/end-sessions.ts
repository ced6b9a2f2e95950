import { endOnServer } from "../hook/end-on-server.ts";
import type { Companion } from "../places.ts";
import type { Target } from "../server.ts";
import { type ClientSession, heardAt, listSessions, removeSession, writeSession } from "../sessions.ts";

const limitMs = 10_000;
/** Not every client says its end, and none that is killed does. */
const silentMs = 12 * 3_600_000;
const givenUpAfterMs = 7 * 86_400_000;

/** Ends what is over: sessions whose end found no server, and those of which nobody has heard for long. */
export async function endSessions(
  companion: Companion,
  targetFor: (session: ClientSession) => Promise<Target>,
  now: number,
): Promise<void> {
  for (const session of listSessions(companion)) {
    const { client, ended_at, is_end_untold } = session;
    if (client === "watch" || (ended_at === undefined ? now - heardAt(session) < silentMs : !is_end_untold)) continue;
    const { is_end_untold: _, ...ended } = { ...session, ended_at: ended_at ?? new Date(now).toISOString() };
    try {
      await endOnServer(await targetFor(session), session, AbortSignal.timeout(limitMs));
      writeSession(companion, ended);
    } catch {
      // Its server is away. It is tried again with the next look, until it is too old to matter.
      const isOld = now - heardAt(session) > givenUpAfterMs;
      if (isOld) removeSession(companion, client, session.session);
      else writeSession(companion, { ...ended, is_end_untold: true });
    }
  }
}
