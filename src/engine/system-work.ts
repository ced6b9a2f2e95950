import type { HouseEvent } from "../contract/event.ts";
import type { Work } from "../domain/work.ts";
import type { Store } from "../storage/store.ts";
import { newId, type Sources } from "./sources.ts";
import { untilFresh } from "./until-fresh.ts";

/** Runs something the server does of its own accord: the same transaction and the same ledger, but no caller. */
export function transactAsSystem<T>(
  store: Store,
  sources: Sources,
  body: (work: Omit<Work, "caller">) => Promise<T>,
): Promise<T> {
  return untilFresh(() => transactOnce(store, sources, body));
}

function transactOnce<T>(store: Store, sources: Sources, body: (work: Omit<Work, "caller">) => Promise<T>): Promise<T> {
  return store.transact(async (db) => {
    const events: HouseEvent[] = [];
    const now = sources.now();
    const value = await body({
      db,
      now,
      signal: new AbortController().signal,
      newId: (kind) => newId(sources, kind),
      randomBytes: (count) => sources.randomBytes(count),
      record: (event) => void events.push(event),
      progress: () => undefined,
    });
    return { value, entries: events.map((event) => ({ ...event, at: now, developerId: null, callId: null })) };
  });
}
