import type { LedgerEntry } from "../contract/event.ts";
import type { AnyTool } from "../contract/tool.ts";
import type { AnyHand } from "../domain/effect.ts";
import { appendEntries, checkEntries } from "../domain/ledger/store.ts";
import type { OverlapSettings } from "../domain/overlap/engine/settings.ts";
import type { VectorProvider } from "../domain/overlap/port.ts";
import { foundTeam } from "../domain/person/operations.ts";
import { openStore } from "../storage/open.ts";
import { PostgresStore } from "../storage/postgres.ts";
import type { Store, StoreHooks, StoreOptions } from "../storage/store.ts";
import { Authenticator } from "./authentication.ts";
import { effectKinds } from "./effects/kinds.ts";
import { EffectRunner } from "./effects/runner.ts";
import { Feed } from "./feed.ts";
import type { House, HouseSettings } from "./house.ts";
import type { Log } from "./log.ts";
import { Metrics } from "./metrics.ts";
import { OverlapKeeper } from "./overlap-keeper.ts";
import { People } from "./people.ts";
import { fillPorts, type SomePorts } from "./ports.ts";
import { Publisher } from "./publisher.ts";
import { Sealer } from "./sealer.ts";
import type { Sources } from "./sources.ts";
import { startSweeps } from "./sweeps.ts";
import { transactAsSystem } from "./system-work.ts";
import { listThresholds, settleOverlap } from "./thresholds.ts";
import { UsageLog } from "./usage-log.ts";

export interface HouseOptions {
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
  /** Tells how alike the meaning of titles is; without it only words are compared. The house closes it. */
  readonly vectors?: VectorProvider | undefined;
  /** Off in tests that move the clock by hand. */
  readonly sweeps?: boolean;
  readonly storeOptions?: StoreOptions;
}

export interface OpenedHouse {
  readonly house: House;
  /** The owner's token, on the very first start and after it was lost. */
  readonly firstToken: string | null;
}

/** Opens the store, founds the team if there is none, and starts what the server does by the clock. */
export async function openHouse(options: HouseOptions): Promise<OpenedHouse> {
  const overlap = settleOverlap(options.settings);
  let committed: StoreHooks["committed"] = () => undefined;
  const hooks: StoreHooks = {
    check: checkEntries,
    append: appendEntries,
    committed: (entries, recorded) => committed(entries, recorded),
  };
  const store = await openStore(options.location, hooks, options.sources.now, options.storeOptions);
  try {
    return await furnish(store, { ...options, overlap }, (hook) => {
      committed = hook;
    });
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function furnish(
  store: Store,
  options: HouseOptions & { readonly overlap: OverlapSettings },
  hookInto: (committed: StoreHooks["committed"]) => void,
): Promise<OpenedHouse> {
  const { sources, log, settings, overlap } = options;
  const feed = new Feed(store, log);
  const people = new People();
  const authenticator = new Authenticator(store, sources.now);
  const usage = new UsageLog(store, log);
  const publisher = new Publisher({ store, feed, people, authenticator, log });
  const publish = (entries: readonly LedgerEntry[]) => publisher.publish(entries);
  const sealer = store instanceof PostgresStore ? new Sealer(store, log, publish) : undefined;
  hookInto((entries, recorded) => {
    // Before the call that revokes is answered, and not only when its entry has found its place.
    if (recorded.some(Authenticator.isAbout)) authenticator.forgetAll();
    if (sealer) sealer.poke();
    else publish(entries);
  });

  const firstToken = await transactAsSystem(store, sources, (work) =>
    foundTeam(work, options.identity, { hasLostToken: options.hasLostToken ?? false }),
  );
  await people.refresh(store);
  await sealer?.start();

  const effects = new EffectRunner({ store, sources, log, kinds: effectKinds, hands: options.hands ?? {} });
  await effects.start({ looksByItself: options.sweeps !== false });

  const thresholds = listThresholds(overlap, settings);
  const keeper = new OverlapKeeper({ store, feed, sources, vectors: options.vectors, settings: overlap });

  let closing: Promise<void> | undefined;
  const close = async () => {
    await stopSweeps();
    await effects.close();
    await usage.close();
    await keeper.close();
    await sealer?.close();
    await store.close();
  };
  const house: House = {
    store,
    tools: byName(options.tools),
    sources,
    ports: fillPorts(
      {
        overlap: { findLikeWork: (query, signal) => keeper.find(query, signal) },
        context: { listThresholds: () => thresholds },
      },
      options.ports,
    ),
    log,
    settings,
    authenticator,
    feed,
    people,
    usage,
    effects,
    metrics: new Metrics(),
    startedAt: sources.now(),
    close() {
      closing ??= close();
      return closing;
    },
  };
  const stopSweeps = options.sweeps === false ? async () => undefined : startSweeps(house);
  return { house, firstToken };
}

function byName(tools: readonly AnyTool[]): ReadonlyMap<string, AnyTool> {
  return new Map(tools.flatMap((tool) => [tool.name, ...(tool.aliases ?? [])].map((name) => [name, tool] as const)));
}
