import type { Caller } from "../../contract/caller.ts";
import type { SystemWork } from "../work.ts";
import { fitsCode, lockOfCode, lockOfPage, openLock } from "./deck-rules.ts";
import { mintToken } from "./operations.ts";
import { findToken } from "./queries.ts";
import { isLive } from "./rules.ts";
import { isSecretOf, splitToken } from "./secret.ts";
import { saveToken } from "./store.ts";

/** As long as the browser keeps the cookie. */
export const deckSessionMs = 30 * 86_400_000;

/** Who signs in: a page that has chosen its half already, a browser whose page will, or a program. */
export type DeckClient = { readonly page: string } | "browser" | "program";

/** Signs somebody in to the deck. A browser's page gets a code with which it adds its own half of the secret. */
export async function openDeckSession(
  work: SystemWork,
  { developerId }: Pick<Caller, "developerId">,
  client: DeckClient,
): Promise<{ cookie: string; code: string | null }> {
  const code = client === "browser" ? Buffer.from(work.randomBytes(32)).toString("base64url") : null;
  const { text } = await mintToken(work, {
    developerId,
    label: "deck",
    agentType: null,
    expiresAt: work.now + deckSessionMs,
    pageLock: code !== null ? lockOfCode(code) : typeof client === "object" ? lockOfPage(client.page) : openLock,
  });
  return { cookie: text, code };
}

/** Puts the page's own half in the place of the code, once. */
export async function bindDeckSession(
  work: SystemWork,
  ask: { cookie: string; code: string; page: string },
): Promise<boolean> {
  const split = splitToken(ask.cookie);
  const token = split ? await findToken(work.db, split.id) : undefined;
  if (!split || !token || !isSecretOf(split.secret, token.hash) || !isLive(token, work.now)) return false;
  if (!fitsCode(ask.code, token.pageLock)) return false;
  await saveToken(work.db, token, { pageLock: lockOfPage(ask.page) });
  return true;
}
