import { Refusal } from "../contract/refusal.ts";
import { sweepSilentAgents } from "../domain/agent/operations.ts";
import { answersKeptMs, deleteOldAnswers } from "./answers.ts";
import type { House } from "./house.ts";
import { transactAsSystem } from "./system-work.ts";

const livenessEveryMs = 2_000;
const housekeepingEveryMs = 3_600_000;
const agentsAtOnce = 100;

/** Gives up every agent that has been silent for too long. */
export async function sweepLiveness(house: Pick<House, "store" | "sources">): Promise<void> {
  while (await transactAsSystem(house.store, house.sources, (work) => sweepSilentAgents(work, agentsAtOnce)));
}

async function sweepAnswers(house: House): Promise<void> {
  await transactAsSystem(house.store, house.sources, (work) => deleteOldAnswers(work.db, work.now - answersKeptMs));
}

/** Starts what the server does by the clock. Returns a function that stops it and waits for what is under way. */
export function startSweeps(house: House): () => Promise<void> {
  const stops = [every(livenessEveryMs, () => sweepLiveness(house)), every(housekeepingEveryMs, () => sweepAnswers(house))];
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };

  function every(intervalMs: number, sweep: () => Promise<void>): () => Promise<void> {
    let running = Promise.resolve();
    const timer = setInterval(() => {
      running = running.then(sweep).catch((error: unknown) => {
        // Another node swept the same agents first; the next round sees what is left.
        const isLostRace = error instanceof Refusal && error.code === "STALE";
        if (!isLostRace) house.log.error({ err: error }, "a sweep failed");
      });
    }, intervalMs);
    timer.unref();
    return () => {
      clearInterval(timer);
      return running;
    };
  }
}
