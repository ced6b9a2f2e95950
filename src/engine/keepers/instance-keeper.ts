import { listLaunched } from "../../domain/instance/queries.ts";
import { isSettlingDue, settleReviews } from "../../domain/review/sweep-operations.ts";
import type { House } from "../house.ts";
import { placeOf } from "../sources.ts";
import { transactAsSystem } from "../system-work.ts";
import type { KeeperOf } from "./keepers.ts";

const lookEveryMs = 1_000;

/**
 * Looks what has become of the programs that this server started, whichever run of it did, and of the reviews they are
 * part of: what has ended, took too long or has waited for room.
 */
export async function sweepInstances({ store, sources, ports, errands }: House): Promise<void> {
  const place = placeOf(sources);
  const launched = await store.read((db) => listLaunched(db, place));
  const { mostAtOnce, quietMs } = ports.instance;
  const reports = await ports.instance.readProcesses(
    launched.map(({ id, program, worktreePath: path, run }) => ({
      id,
      program: program ?? "",
      path,
      mode: run?.mode ?? "headless",
    })),
  );
  const round = { reports, limits: ports.review.limits, mostAtOnce, quietMs };
  const now = sources.now();
  // An idle server writes nothing.
  if (!(await store.read((db) => isSettlingDue({ db, place, now }, round)))) return;
  await transactAsSystem(store, sources, (work) => settleReviews(work, round));
  errands.poke();
}

export const instanceKeeperOf: KeeperOf = (house) => {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  const look = (): void => {
    running ??= sweepInstances(house)
      .catch((error: unknown) => house.log.error({ err: error }, "instances could not be looked at"))
      .finally(() => {
        running = undefined;
      });
  };
  return {
    async start() {
      timer = setInterval(look, lookEveryMs);
      timer.unref();
      look();
    },
    async close() {
      clearInterval(timer);
      await running;
    },
  };
};
