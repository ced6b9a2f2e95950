import type { LedgerEntry } from "../contract/event.ts";
import { Refusal } from "../contract/refusal.ts";
import type { AnyTool } from "../contract/tool.ts";
import { appendEntries } from "../domain/ledger/store.ts";
import { foundTeam } from "../domain/person/operations.ts";
import { openStore } from "../storage/open.ts";
import { PostgresStore } from "../storage/postgres.ts";
import { Authenticator } from "./authentication.ts";
import { Feed } from "./feed.ts";
import type { House, HouseSettings } from "./house.ts";
import type { Log } from "./log.ts";
import { Metrics } from "./metrics.ts";
import { People } from "./people.ts";
import { Sealer } from "./sealer.ts";
import type { Sources } from "./sources.ts";
import { startSweeps } from "./sweeps.ts";
import { transactAsSystem } from "./system-work.ts";
import { UsageLog } from "./usage.ts";

export interface HouseOptions {
  /** A SQLite file or a `postgres://` address. */
  readonly location: string;
  readonly tools: readonly AnyTool[];
  readonly sources: Sources;
  readonly log: Log;
  readonly settings: HouseSettings;
  /** Who owns the team that a first start founds. */
  readonly identity: { name: string; email: string | null };
  /** Off in tests that move the clock by hand. */
  readonly sweeps?: boolean;
}

export interface OpenedHouse {
  readonly house: House;
  /** The owner's token, on the very first start only. */
  readonly firstToken: string | null;
}

/** Opens the store, founds the team if there is none, and starts what the server does by the clock. */
export async function openHouse(options: HouseOptions): Promise<OpenedHouse> {
  const { sources, log } = options;
  let onCommitted: (entries: readonly LedgerEntry[]) => void = () => undefined;
  const store = await openStore(
    options.location,
    {
      append: appendEntries,
      committed(entries, recorded) {
        // Before the call that revokes is answered, and not only when its entry has found its place.
        if (recorded.some(Authenticator.isAbout)) authenticator.forgetAll();
        onCommitted(entries);
      },
    },
    sources.now,
  );
  const feed = new Feed(store);
  const people = new People();
  const authenticator = new Authenticator(store, sources.now);
  const usage = new UsageLog(store, log);

  // Privacy first: who became private is known before the entry that says so is shown, and order is kept meanwhile.
  let refreshing: Promise<void> | undefined;
  const publish = (entries: readonly LedgerEntry[]): void => {
    if (entries.some(Authenticator.isAbout)) authenticator.forgetAll();
    const changesPeople = entries.some(People.isAbout);
    if (!changesPeople && refreshing === undefined) return feed.publish(entries);
    const turn = (refreshing ?? Promise.resolve())
      .then(() => (changesPeople ? people.refresh(store) : undefined))
      .catch((error: unknown) => log.error({ err: error }, "people could not be read again"))
      .then(() => {
        feed.publish(entries);
        if (refreshing === turn) refreshing = undefined;
      });
    refreshing = turn;
  };
  const sealer = store instanceof PostgresStore ? new Sealer(store, log, publish) : undefined;
  onCommitted = sealer ? () => sealer.poke() : publish;

  const firstToken = await found(() => transactAsSystem(store, sources, (work) => foundTeam(work, options.identity)));
  await people.refresh(store);
  await sealer?.start();

  const house: House = {
    store,
    tools: byName(options.tools),
    sources,
    log,
    settings: options.settings,
    authenticator,
    feed,
    people,
    usage,
    metrics: new Metrics(),
    startedAt: sources.now(),
    async close() {
      await stopSweeps();
      await usage.flush();
      await sealer?.close();
      await store.close();
    },
  };
  const stopSweeps = options.sweeps === false ? async () => undefined : startSweeps(house);
  return { house, firstToken };
}

/** Nodes that start together on one database all try to found the team; a loser finds it at its second look. */
async function found<T>(attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (!(error instanceof Refusal && error.code === "STALE")) throw error;
    return attempt();
  }
}

function byName(tools: readonly AnyTool[]): ReadonlyMap<string, AnyTool> {
  return new Map(tools.flatMap((tool) => [tool.name, ...(tool.aliases ?? [])].map((name) => [name, tool] as const)));
}
