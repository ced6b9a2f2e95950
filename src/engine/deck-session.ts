import type { Caller } from "../contract/caller.ts";
import { bindDeckSession, type DeckClient, deckSessionMs, openDeckSession } from "../domain/person/deck-operations.ts";
import { isPageSecret } from "../domain/person/deck-rules.ts";
import type { House } from "./house.ts";
import { transactAsSystem } from "./system-work.ts";

export { type DeckClient, deckSessionMs, isPageSecret };

type Opened = Pick<House, "store" | "sources">;

/** Signs a browser in. Its cookie is no tool's answer, for no tool may hand out what only a browser should hold. */
export const signInToDeck = (
  { store, sources }: Opened,
  caller: Caller,
  client: DeckClient,
): Promise<{ cookie: string; code: string | null }> =>
  transactAsSystem(store, sources, (work) => openDeckSession(work, caller, client), {
    developerId: caller.developerId,
    callId: null,
  });

/** The page of a new sign-in adds its half. */
export const bindToPage = (
  { store, sources }: Opened,
  ask: { cookie: string; code: string; page: string },
): Promise<boolean> => transactAsSystem(store, sources, (work) => bindDeckSession(work, ask));
