import { setTimeout as pause } from "node:timers/promises";
import { Refusal } from "../contract/refusal.ts";

const mostTries = 12;
const freeTries = 3;
const longestPauseMs = 256;

/**
 * Runs an operation again from the start while it loses races. The pause grows so that rivals do not meet again; those
 * who have lost several times run one after the other, so that a hundred who want one record all get their turn.
 */
export async function untilFresh<T>(attempt: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await (tries <= freeTries ? attempt() : inTurn(attempt));
    } catch (error) {
      const isLostRace = error instanceof Refusal && error.code === "STALE";
      if (!isLostRace || tries === mostTries) throw error;
      await pause(Math.random() * Math.min(2 ** tries, longestPauseMs));
      signal?.throwIfAborted();
    }
  }
}

let lastInTurn: Promise<unknown> = Promise.resolve();

function inTurn<T>(attempt: () => Promise<T>): Promise<T> {
  const turn = lastInTurn.then(attempt);
  lastInTurn = turn.catch(() => undefined);
  return turn;
}
