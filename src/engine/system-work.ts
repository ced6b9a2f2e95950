import type { HouseEvent } from "../contract/event.ts";
import type { ErrandAsk } from "../domain/errand.ts";
import type { SystemWork } from "../domain/work.ts";
import type { Store } from "../storage/store.ts";
import { insertErrands } from "./errands/store.ts";
import { newId, placeOf, type Sources } from "./sources.ts";
import { untilFresh } from "./until-fresh.ts";

/** Whose call led to what the server now does; privacy follows the developer (EF4). */
interface Cause {
  readonly developerId: string | null;
  readonly callId: string | null;
}

const ownAccord: Cause = { developerId: null, callId: null };

/** Runs something the server does of its own accord: the same transaction and the same ledger, but no caller. */
export function transactAsSystem<T>(
  store: Store,
  sources: Sources,
  body: (work: SystemWork) => Promise<T>,
  cause: Cause = ownAccord,
): Promise<T> {
  return untilFresh(() => transactOnce(store, sources, body, cause));
}

function transactOnce<T>(
  store: Store,
  sources: Sources,
  body: (work: SystemWork) => Promise<T>,
  { developerId, callId }: Cause,
): Promise<T> {
  return store.transact(async (db) => {
    const events: HouseEvent[] = [];
    const errands: ErrandAsk[] = [];
    const now = sources.now();
    const place = placeOf(sources);
    const value = await body({
      db,
      now,
      signal: new AbortController().signal,
      place,
      newId: (kind) => newId(sources, kind),
      randomBytes: (count) => sources.randomBytes(count),
      record: (event) => void events.push(event),
      after: (errand) => void errands.push(errand),
      progress: () => undefined,
    });
    await insertErrands(db, errands, { now, place, developerId, callId, newId: () => newId(sources, "errand") });
    return { value, entries: events.map((event) => ({ ...event, at: now, developerId, callId })) };
  });
}
