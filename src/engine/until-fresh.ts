import { setTimeout as pause } from "node:timers/promises";
import { Refusal } from "../contract/refusal.ts";

const mostTries = 12;
const longestPauseMs = 256;

/** Runs an operation again from the start while it loses races; the pause grows so that rivals do not meet again. */
export async function untilFresh<T>(attempt: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      const isLostRace = error instanceof Refusal && error.code === "STALE";
      if (!isLostRace || tries === mostTries) throw error;
      await pause(Math.random() * Math.min(2 ** tries, longestPauseMs));
      signal?.throwIfAborted();
    }
  }
}
