import { Refusal } from "../../contract/refusal.ts";
import { recordHandMerge, recordMove, recordState } from "../../domain/pull/follow-operations.ts";
import type { Pull } from "../../domain/pull/model.ts";
import type { Comparison } from "../../domain/pull/port.ts";
import { listPulls } from "../../domain/pull/queries.ts";
import type { House } from "../house.ts";
import { placeOf } from "../sources.ts";
import { transactAsSystem } from "../system-work.ts";
import type { Keeper } from "./keepers.ts";

const mostAtOnce = 500;

/** Looks how open pull requests stand at their code host and takes note of what was decided there. */
export async function followPulls(
  { store, sources, ports, log }: Pick<House, "store" | "sources" | "ports" | "log">,
  signal: AbortSignal,
): Promise<void> {
  const filter = { host: "github", status: ["open"], place: placeOf(sources), limit: mostAtOnce } as const;
  for (const { id, address, number, etag } of await store.read((db) => listPulls(db, filter))) {
    if (number === null || signal.aborted) continue;
    try {
      const state = await ports.pull.readState({ address, number, etag }, signal);
      if (state) await transactAsSystem(store, sources, (work) => recordState(work, id, state));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      log.warn({ err: error, pull: id }, "how a pull request stands could not be read");
      // Whoever limits us, or cannot be reached, is left alone until the next round.
      if (error.code === "GITHUB_RATE_LIMIT_EXCEEDED" || error.code === "GITHUB_NETWORK_ERROR") return;
    }
  }
}

/** Looks where the branches of our own pull requests stand: who went on with one, or merged it by hand with git itself (PR24, PR27). */
export async function followLocalPulls(
  { store, sources, ports }: Pick<House, "store" | "sources" | "ports">,
  signal: AbortSignal,
): Promise<void> {
  const filter = { host: "local", status: ["open"], place: placeOf(sources), limit: mostAtOnce } as const;
  const compare = (pull: Pull): Promise<Comparison | undefined> =>
    ports.pull.compare(pull, signal).catch((error: unknown) => {
      if (error instanceof Refusal) return undefined;
      throw error;
    });
  for (const pull of await store.read((db) => listPulls(db, filter))) {
    if (signal.aborted) return;
    const seen = await compare(pull);
    if (seen === undefined || seen.isBranchGone) continue;
    if (seen.ahead > 0) {
      if (seen.head !== pull.head) await transactAsSystem(store, sources, (work) => recordMove(work, pull, seen.head));
      continue;
    }
    // A branch that was set back to its base brings nothing to it: what was last seen of it has to be there.
    const last = seen.head === pull.head ? seen : await compare({ ...pull, endedAt: pull.updatedAt });
    if (last?.ahead === 0) await transactAsSystem(store, sources, (work) => recordHandMerge(work, pull.id));
  }
}

/** Follows open pull requests by the clock. */
export const followPullsEvery =
  (seconds: number) =>
  (house: House): Keeper => {
    const closing = new AbortController();
    let running: Promise<void> | undefined;
    let timer: NodeJS.Timeout | undefined;
    return {
      async start() {
        timer = setInterval(() => {
          running ??= followPulls(house, closing.signal)
            .then(() => followLocalPulls(house, closing.signal))
            .catch((error: unknown) => {
              if (!closing.signal.aborted) house.log.error({ err: error }, "pull requests could not be followed");
            })
            .finally(() => {
              running = undefined;
            });
        }, seconds * 1_000);
        timer.unref();
      },
      async close() {
        clearInterval(timer);
        closing.abort();
        await running;
      },
    };
  };
