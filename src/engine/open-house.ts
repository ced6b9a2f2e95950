import type { LedgerEntry } from "../contract/event.ts";
import type { AnyTool } from "../contract/tool.ts";
import type { AnyHand } from "../domain/errand.ts";
import { appendEntries, checkEntries } from "../domain/ledger/store.ts";
import { foundTeam } from "../domain/person/operations.ts";
import { isPostgresStore, openStore } from "../storage/open.ts";
import type { Store, StoreHooks, StoreOptions } from "../storage/store.ts";
import { Authenticator } from "./authentication.ts";
import { errandKinds } from "./errands/kinds.ts";
import { ErrandRunner } from "./errands/runner.ts";
import { Feed } from "./feed.ts";
import type { House, HouseSettings } from "./house.ts";
import { type KeeperOf, Keepers } from "./keepers/keepers.ts";
import { OverlapKeeper } from "./keepers/overlap-keeper.ts";
import { Sealer } from "./keepers/sealer.ts";
import { sweepsOf } from "./keepers/sweeps.ts";
import { WaitingRoom } from "./keepers/waiting-room.ts";
import type { Log } from "./log.ts";
import { Metrics } from "./metrics.ts";
import { Notices } from "./notices.ts";
import { People } from "./people.ts";
import { fillPorts, fillProject, type SomePorts } from "./ports.ts";
import { Presence } from "./presence.ts";
import { Publisher } from "./publisher.ts";
import { guardHands } from "./reach.ts";
import type { Sources } from "./sources.ts";
import { transactAsSystem } from "./system-work.ts";
import { Thresholds } from "./thresholds.ts";
import { UsageLog } from "./usage-log.ts";

interface HouseOptions {
  /** A SQLite file or a `postgres://` address. */
  readonly location: string;
  readonly tools: readonly AnyTool[];
  readonly sources: Sources;
  readonly log: Log;
  readonly settings: HouseSettings;
  /** Who owns the team that a first start founds. */
  readonly identity: { name: string; email: string | null };
  /** This machine has no token of the owner's any more, so it is given a new one. */
  readonly hasLostToken?: boolean;
  /** What looks at the world outside; a house without any finds nothing there. */
  readonly ports?: SomePorts;
  /** What works on the world outside, by kind of work; a house without any leaves such work undone. */
  readonly hands?: Readonly<Record<string, AnyHand>>;
  /** What outlives calls and stands on the open house, such as the processes it has started. */
  readonly keepers?: readonly KeeperOf[];
  /** Off in tests that move the clock by hand. */
  readonly sweeps?: boolean;
  readonly storeOptions?: StoreOptions;
}

interface OpenedHouse {
  readonly house: House;
  /** The owner's token, on the very first start and after it was lost. */
  readonly firstToken: string | null;
}

/** Opens the store, founds the team if there is none, and starts what the server does by the clock. */
export async function openHouse(options: HouseOptions): Promise<OpenedHouse> {
  const thresholds = new Thresholds(options.settings);
  let committed: StoreHooks["committed"] = () => undefined;
  const hooks: StoreHooks = {
    check: checkEntries,
    append: appendEntries,
    committed: (entries, recorded) => committed(entries, recorded),
  };
  const store = await openStore(options.location, hooks, options.sources.now, options.storeOptions);
  const keepers = new Keepers();
  await keepers.add(store);
  try {
    return await furnish(store, keepers, { ...options, thresholds }, (hook) => {
      committed = hook;
    });
  } catch (error) {
    await keepers.close().catch((failure: unknown) => options.log.error({ err: failure }, "could not close"));
    throw error;
  }
}

async function furnish(
  store: Store,
  keepers: Keepers,
  options: HouseOptions & { readonly thresholds: Thresholds },
  hookInto: (committed: StoreHooks["committed"]) => void,
): Promise<OpenedHouse> {
  const { sources, log, settings, thresholds } = options;
  const feed = new Feed(store, log);
  const people = new People();
  const authenticator = new Authenticator(store, sources.now);
  const usage = new UsageLog(store, log);
  const notices = new Notices({ store, sources });
  const presence = new Presence(sources.now);
  const waiting = new WaitingRoom({ store, presence, sources });
  const publisher = new Publisher({ store, feed, people, authenticator, log });
  const publish = (entries: readonly LedgerEntry[]) => {
    notices.heed(entries);
    publisher.publish(entries);
    waiting.heed(entries);
  };
  const sealer = isPostgresStore(store) ? new Sealer(store, log, publish) : undefined;
  hookInto((entries, recorded) => {
    // Before the call that revokes is answered, and not only when its entry has found its place.
    if (recorded.some(Authenticator.isAbout)) authenticator.forgetAll();
    notices.heed(recorded);
    if (sealer) sealer.poke();
    else publish(entries);
  });

  const found = transactAsSystem(store, sources, (work) =>
    foundTeam(work, options.identity, { hasLostToken: options.hasLostToken ?? false }),
  );
  const firstToken = await found.catch((error: unknown) => {
    // Whoever opens a damaged store reads what can be read.
    if (store.readOnlyReason === null) throw error;
    log.error({ reason: store.readOnlyReason }, "the store takes no changes");
    return null;
  });
  await people.refresh(store);
  if (sealer) await keepers.add(sealer);
  const work = await keepers.add(new OverlapKeeper({ store, feed, sources, thresholds }));
  await keepers.add(usage);
  await keepers.add(notices);
  // Closed before the usage log, which waits for calls: those that wait must be over by then.
  await keepers.add(waiting);
  const hands = guardHands(options.hands ?? {}, fillProject(options.ports?.project), store);
  const errands = new ErrandRunner({ store, sources, log, kinds: errandKinds, hands });
  await keepers.add({
    // What is done outside must be written down.
    start: async () => {
      if (store.readOnlyReason === null) await errands.start({ looksByItself: options.sweeps !== false });
    },
    close: () => errands.close(),
  });

  const house: House = {
    store,
    tools: byName(options.tools),
    sources,
    ports: fillPorts(
      {
        overlap: { findLikeWork: (query, signal) => work.find(query, signal) },
        context: {
          listThresholds: () => thresholds.list(),
          listen: (ask) => waiting.listen(ask),
          keepHeard: (ask) => waiting.keepHeard(ask),
        },
      },
      options.ports,
    ),
    log,
    settings,
    thresholds,
    authenticator,
    feed,
    people,
    presence,
    notices,
    waiting,
    usage,
    errands,
    metrics: new Metrics(),
    startedAt: sources.now(),
    close: () => keepers.close(),
  };
  if (options.sweeps !== false) await keepers.add(sweepsOf(house));
  for (const keeperOf of options.keepers ?? []) await keepers.add(keeperOf(house));
  return { house, firstToken };
}

function byName(tools: readonly AnyTool[]): ReadonlyMap<string, AnyTool> {
  return new Map(tools.flatMap((tool) => [tool.name, ...(tool.aliases ?? [])].map((name) => [name, tool] as const)));
}
