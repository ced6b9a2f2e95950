import { setTimeout as pass } from "node:timers/promises";

/**
 * How long a test waits for one fact before it says which did not come about, and how long it may take in all. Only
 * what hangs for good takes so long, however busy the machine is; so no test names a limit of its own.
 */
export const patienceMs = 300_000;
export const testPatienceMs = 2 * patienceMs;

/** For one try of several: what did not work so soon is tried again. */
export const glanceMs = 1_000;

/** Waits until something holds. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const latest = Date.now() + patienceMs;
  while (!(await holds())) {
    if (Date.now() > latest) throw new Error(`in vain was it waited until ${holds}`);
    await pass(10);
  }
}

/** What is promised, or a failure that says what did not come. */
export async function within<T>(promised: Promise<T>, describe: () => string): Promise<T> {
  const over = new AbortController();
  const late = pass(patienceMs, undefined, { signal: over.signal }).then(
    () => Promise.reject(new Error(describe())),
    () => promised,
  );
  try {
    return await Promise.race([promised, late]);
  } finally {
    over.abort();
  }
}

/** Time passes. Only where time itself is what the test is about, or the moment is to be a random one; `why` says it. */
export async function letPass(ms: number, _why: string): Promise<void> {
  await pass(ms);
}
