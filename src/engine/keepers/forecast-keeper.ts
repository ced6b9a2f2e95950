import type { LedgerEntry } from "../../contract/event.ts";
import { Refusal } from "../../contract/refusal.ts";
import { sessionStaleAfterMs } from "../../domain/agent/session-model.ts";
import type { Occupant } from "../../domain/context/collision-model.ts";
import { noteOutlook } from "../../domain/context/collision-operations.ts";
import { listOccupants } from "../../domain/context/collision-queries.ts";
import { locateRepository } from "../../domain/project/locate-operations.ts";
import type { House } from "../house.ts";
import { placeOf } from "../sources.ts";
import { transactAsSystem } from "../system-work.ts";
import type { Keeper } from "./keepers.ts";
import { LookBudget } from "./look-budget.ts";

/** After these somebody's folder may look different, or somebody is about to change it. */
const tellingKinds: ReadonlySet<string> = new Set([
  "session.started",
  "session.seen",
  "session.snapshotTaken",
  "session.activityLogged",
  "agent.heartbeat",
  "agent.registered",
  "claim.taken",
  "task.claimed",
  "task.completed",
  "task.cancelled",
  "task.statusChanged",
]);

/** The same repository is looked at again no sooner than this after something has happened in it. */
const urgentEveryMs = 3_000;
/** Files are saved without a word to anybody, so a repository with agents at work is looked at this often all the same. */
const roundEveryMs = 10_000;
/** Where a folder belongs is asked anew after this: worktrees come and go. */
const locatedMs = 5 * 60_000;

const never = Number.NEGATIVE_INFINITY;

const isUrgent = ({ changed }: Repository): boolean => changed.size > 0;
const isRoundDue = ({ roundAt }: Repository, now: number): boolean => now - roundAt >= roundEveryMs;

type Parts = Pick<House, "store" | "sources" | "ports" | "log">;

interface Repository {
  lookedAt: number;
  /** When all of its worktrees were looked at. */
  roundAt: number;
  /** Folders in which something has happened since. */
  readonly changed: Set<string>;
}

/** Keeps forecasts fresh for repositories in which agents are at work: after what they do, and in turn. */
export class ForecastKeeper {
  readonly #parts: Parts;
  readonly #stopwatch: () => number;
  readonly #budget: LookBudget;
  readonly #repositories = new Map<string, Repository>();
  readonly #located = new Map<string, { readonly main: string | undefined; readonly at: number }>();
  /** Agents and developers of whom something was heard since the last round. */
  readonly #heard = new Set<string>();

  #surveyedAt = Number.NEGATIVE_INFINITY;

  /** What time passes while it looks is measured apart from the clock that all the rest goes by. */
  constructor(parts: Parts, stopwatch: () => number = () => performance.now()) {
    this.#parts = parts;
    this.#stopwatch = stopwatch;
    this.#budget = new LookBudget(parts.sources.now());
  }

  heed(entries: readonly Pick<LedgerEntry, "kind" | "subject" | "developerId">[]): void {
    for (const { kind, subject, developerId } of entries) {
      if (!tellingKinds.has(kind)) continue;
      this.#heard.add(subject);
      // A claim or a task does not say in which folder; an agent does.
      if (developerId !== null && !/^(?:session|agent)\./.test(kind)) this.#heard.add(developerId);
    }
  }

  /** Looks at the repository whose turn it is, if any's is; answers which. */
  async look(signal: AbortSignal): Promise<string | undefined> {
    const { store, sources, ports } = this.#parts;
    await this.#survey(signal);
    const next = this.#next(sources.now());
    if (next === undefined) return undefined;
    const [folder, repository] = next;
    repository.lookedAt = sources.now();
    const changed = isRoundDue(repository, repository.lookedAt) ? undefined : [...repository.changed];
    if (changed === undefined) repository.roundAt = repository.lookedAt;
    repository.changed.clear();
    const startedAt = this.#stopwatch();
    try {
      const outlook = await ports.forecast.look({ folder, changed }, signal);
      await transactAsSystem(store, sources, (work) => noteOutlook(work, outlook));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.#repositories.delete(folder);
    } finally {
      this.#budget.spend(sources.now(), this.#stopwatch() - startedAt);
    }
    return folder;
  }

  /** Which repositories agents are at work in, and in which of them something has happened. */
  async #survey(signal: AbortSignal): Promise<void> {
    const { store, sources } = this.#parts;
    const now = sources.now();
    if (this.#heard.size === 0 && now - this.#surveyedAt < roundEveryMs) return;
    this.#surveyedAt = now;
    const heard = new Set(this.#heard);
    this.#heard.clear();
    const occupants = await store.read((db) => listOccupants(db, { place: placeOf(sources) }));
    const live = new Set<string>();
    for (const occupant of occupants) {
      if (occupant.folder === null || now - occupant.seenAt > sessionStaleAfterMs) continue;
      const main = await this.#locate(occupant.folder, signal);
      if (main === undefined) continue;
      live.add(main);
      const known = this.#repositories.get(main);
      const repository = known ?? { lookedAt: never, roundAt: never, changed: new Set<string>() };
      if (known === undefined || isHeardOf(occupant, heard)) repository.changed.add(occupant.folder);
      this.#repositories.set(main, repository);
    }
    for (const main of this.#repositories.keys()) if (!live.has(main)) this.#repositories.delete(main);
  }

  /** Those in which something has happened first, then the one that has waited longest. */
  #next(now: number): [string, Repository] | undefined {
    const due = [...this.#repositories]
      .filter(([, one]) => isRoundDue(one, now) || (isUrgent(one) && now - one.lookedAt >= urgentEveryMs))
      .filter(([, one]) => this.#budget.allows(now, { isUrgent: isUrgent(one) }));
    return due.sort(
      ([, one], [, other]) => Number(isUrgent(other)) - Number(isUrgent(one)) || one.lookedAt - other.lookedAt,
    )[0];
  }

  /** What a server that other machines reach must not look at is nobody's turn. */
  async #locate(folder: string, signal: AbortSignal): Promise<string | undefined> {
    const { store, sources, ports } = this.#parts;
    const now = sources.now();
    const known = this.#located.get(folder);
    if (known !== undefined && now - known.at < locatedMs) return known.main;
    const look = { folder, ports, signal, read: store.read.bind(store) };
    const main = await locateRepository(look, folder).then(
      (found) => found.main,
      (error: unknown) => {
        if (error instanceof Refusal) return undefined;
        throw error;
      },
    );
    for (const [old, { at }] of this.#located) if (now - at >= locatedMs) this.#located.delete(old);
    this.#located.set(folder, { main, at: now });
    return main;
  }
}

const isHeardOf = ({ agentId, developerId, taskId }: Occupant, heard: ReadonlySet<string>): boolean =>
  [agentId, developerId, taskId].some((id) => id !== null && heard.has(id));

/** Follows what happens, and looks by the clock, one repository at a time. */
export const keepForecastsEvery =
  (everyMs: number) =>
  (house: House): Keeper => {
    const keeper = new ForecastKeeper(house);
    const closing = new AbortController();
    let running: Promise<void> | undefined;
    let timer: NodeJS.Timeout | undefined;
    let stop: () => void = () => undefined;
    const round = async (): Promise<void> => {
      try {
        await keeper.look(closing.signal);
      } catch (error) {
        if (!closing.signal.aborted) house.log.error({ err: error }, "a repository could not be forecast");
      } finally {
        running = undefined;
      }
    };
    return {
      async start() {
        stop = await house.feed.follow(undefined, { receive: (entries) => keeper.heed(entries) });
        timer = setInterval(() => {
          running ??= round();
        }, everyMs);
        timer.unref();
      },
      async close() {
        stop();
        clearInterval(timer);
        closing.abort();
        await running;
      },
    };
  };
