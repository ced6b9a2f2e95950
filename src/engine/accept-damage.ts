import type { StoreVerification } from "../domain/ledger/operations.ts";
import { appendEntries, checkEntries } from "../domain/ledger/store.ts";
import { acceptStoreDamage, authenticate } from "../domain/person/operations.ts";
import { openStore } from "../storage/open.ts";
import type { Sources } from "./sources.ts";
import { transactAsSystem } from "./system-work.ts";

/** Lets a damaged store take changes again, as the person at its home has decided. No server may use it meanwhile. */
export async function acceptDamageAt(
  location: string,
  sources: Sources,
  token: string | undefined,
): Promise<StoreVerification> {
  const hooks = { check: checkEntries, append: appendEntries, committed: () => undefined };
  const store = await openStore(location, hooks, sources.now, { acceptsDamage: true });
  try {
    const caller = token && (await store.read((db) => authenticate(db, token, sources.now())));
    const cause = { developerId: caller ? caller.developerId : null, callId: null };
    const found = await transactAsSystem(store, sources, acceptStoreDamage, cause);
    await store.trust();
    return found;
  } finally {
    await store.close();
  }
}
