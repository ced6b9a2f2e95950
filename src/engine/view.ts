import type { Caller } from "../contract/caller.ts";
import type { LedgerEntry, Stream } from "../contract/event.ts";
import { DeveloperId } from "../contract/ids.ts";
import type { EventFilters, EventPage, EventView } from "../contract/plain-routes.ts";
import { Refusal } from "../contract/refusal.ts";
import { cursorOf, seqOf } from "../domain/ledger/cursor.ts";
import type { Viewer } from "../domain/person/viewer-model.ts";
import type { House } from "./house.ts";

/** What one viewer may see of an entry: of private people nothing but that something happened (LV10). */
export function viewEntry({ people }: Pick<House, "people">, entry: LedgerEntry, caller: Caller): EventView {
  return writeEntry(entry, people.viewer(caller));
}

function writeEntry(entry: LedgerEntry, viewer: Viewer): EventView {
  const nobody = viewer.nameOf(null);
  return {
    event: entry.announced,
    kind: entry.kind,
    subject: viewer.isPrivatePerson(entry.subject) ? nobody : entry.subject,
    actor: entry.developerId === null ? null : viewer.nameOf(DeveloperId.parse(entry.developerId)),
    data: isHidden(entry, viewer) ? { developer: nobody } : { id: entry.subject, ...entry.data },
    cursor: cursorOf(entry.seq),
    ts: new Date(entry.at).toISOString(),
  };
}

/** Whether an entry is by a private person or, like what the owner does to their account and tokens, about one. */
const isHidden = ({ developerId, subject, data }: LedgerEntry, viewer: Viewer): boolean =>
  [developerId, subject, data["developer_id"]].some((id) => viewer.isPrivatePerson(id));

interface EventQuery extends EventFilters {
  readonly limit: number;
  readonly stream: Stream;
}

/** A page of the ledger, and the cursor to go on from. */
export async function listEvents(house: House, query: EventQuery, viewer: Caller): Promise<EventPage> {
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

interface Follower {
  /** From just after this, or from now on. */
  readonly cursor: string | undefined;
  readonly caller: Caller;
  /** Those whose entries are wanted; `*` stands for all. */
  readonly channels: ReadonlySet<string>;
  /** Takes one entry as this caller may see it, in JSON. */
  receive(text: string): void;
  /** Resolves once it can take more of what is stored. */
  ready(): Promise<void>;
  readonly signal: AbortSignal;
}

/** Follows work and feedback live. Returns a function that stops it. */
export function followEvents(house: House, follower: Follower): Promise<() => void> {
  const { cursor, caller, channels, receive, ready, signal } = follower;
  const isWanted = (entry: LedgerEntry): boolean =>
    entry.stream !== "usage" && (channels.has("*") || entry.channels.some((channel) => channels.has(channel)));
  const live = {
    receive: (entries: readonly LedgerEntry[]) => {
      const viewer = house.people.viewer(caller);
      for (const entry of entries) if (isWanted(entry)) receive(textOf(entry, viewer));
    },
    ready,
  };
  return house.feed.follow(cursor === undefined ? undefined : seqOf(cursor), live, { caller: caller.tokenId, signal });
}

/** What everyone sees of an entry is written once, however many are watching. */
const texts = new WeakMap<LedgerEntry, string>();

function textOf(entry: LedgerEntry, viewer: Viewer): string {
  if (isHidden(entry, viewer)) return JSON.stringify(writeEntry(entry, viewer));
  const known = texts.get(entry);
  if (known !== undefined) return known;
  const text = JSON.stringify(writeEntry(entry, viewer));
  texts.set(entry, text);
  return text;
}
