import type { Caller } from "../contract/caller.ts";
import type { LedgerEntry, Stream } from "../contract/event.ts";
import { Refusal } from "../contract/refusal.ts";
import { cursorOf, seqOf } from "../domain/ledger/cursor.ts";
import { privateName } from "../domain/person/model.ts";
import type { House } from "./house.ts";

/** An entry as it leaves the house: `event` is the contracts' name for it, `kind` ours. */
interface EventView {
  readonly event: string;
  readonly kind: string;
  readonly subject: string;
  readonly data: Record<string, unknown>;
  readonly cursor: string;
  readonly ts: string;
}

/** What one viewer may see of an entry: of private people nothing but that something happened (LV10). */
export function viewEntry(house: Pick<House, "people">, entry: LedgerEntry, viewer: Caller): EventView {
  const isPrivatePerson = house.people.isHiddenFrom(entry.subject, viewer.developerId);
  return {
    event: entry.announced,
    kind: entry.kind,
    subject: isPrivatePerson ? privateName : entry.subject,
    data: isHiddenFrom(house, entry, viewer) ? { developer: privateName } : { id: entry.subject, ...entry.data },
    cursor: cursorOf(entry.seq),
    ts: new Date(entry.at).toISOString(),
  };
}

/** Whether an entry is by a private person or, like what the owner does to their account and tokens, about one. */
export function isHiddenFrom({ people }: Pick<House, "people">, entry: LedgerEntry, viewer: Caller): boolean {
  const { developerId, subject, data } = entry;
  return [developerId, subject, data["developer_id"]].some(
    (id) => typeof id === "string" && people.isHiddenFrom(id, viewer.developerId),
  );
}

interface EventQuery {
  readonly after?: string | undefined;
  readonly limit: number;
  readonly stream: Stream;
  readonly kind?: string | undefined;
  /** Only about this record. */
  readonly subject?: string | undefined;
  /** Only of this noun. */
  readonly about?: string | undefined;
  /** Not of this kind. */
  readonly without?: string | undefined;
  /** From the end backwards; `before` goes on from a cursor. */
  readonly newest?: boolean | undefined;
  readonly before?: string | undefined;
}

/** A page of the ledger, and the cursor to go on from. */
export async function listEvents(
  house: House,
  query: EventQuery,
  viewer: Caller,
): Promise<{ events: EventView[]; next: string }> {
  const after = query.after === undefined ? 0 : seqOf(query.after);
  const { limit, stream, kind, subject, about, without, before } = query;
  if (typeof (query.newest ?? false) !== "boolean" || (before !== undefined && query.newest !== true)) {
    throw new Refusal("INVALID_REQUEST", "newest is true or false, and before goes with newest=true.");
  }
  if (!Number.isInteger(limit) || limit < 1 || limit > 1_000) {
    throw new Refusal("INVALID_REQUEST", "limit is a whole number from 1 to 1000.");
  }
  if (stream === "usage") await house.usage.flush();
  const entries = await house.feed.page({
    after,
    limit,
    stream,
    newestFirst: query.newest === true ? { before: before === undefined ? undefined : seqOf(before) } : undefined,
    ...(kind === undefined ? {} : { kind }),
    ...(subject === undefined ? {} : { subject }),
    ...(about === undefined ? {} : { about }),
    ...(without === undefined ? {} : { without }),
  });
  // Asked after the page was read: whoever was private when something happened is known to be by now, on every node.
  await house.people.refresh(house.store);
  return {
    events: entries.map((entry) => viewEntry(house, entry, viewer)),
    next: cursorOf(entries.at(-1)?.seq ?? (before === undefined ? after : seqOf(before))),
  };
}

/** Follows work and feedback live from just after `cursor`, or from now on. Returns a function that stops it. */
export function followEvents(
  house: House,
  cursor: string | undefined,
  receive: (entries: readonly LedgerEntry[]) => void,
): Promise<() => void> {
  const after = cursor === undefined ? undefined : seqOf(cursor);
  return house.feed.follow(after, {
    receive: (entries) => receive(entries.filter((entry) => entry.stream !== "usage")),
  });
}
