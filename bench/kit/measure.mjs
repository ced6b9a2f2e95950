import { setImmediate as turn } from "node:timers/promises";

/** Figures from samples, and how samples are taken on a machine that is never quite idle. */

/** The value below which a share of the samples lies. */
export function percentile(samples, share) {
  const sorted = Float64Array.from(samples).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

export const median = (samples) => percentile(samples, 0.5);

/**
 * Measures the subjects one after the other, several times over, in alternating order: what else the machine does
 * falls on all of them alike. Each subject answers an object of figures; the result has every round of each.
 */
export async function interleave(rounds, subjects) {
  const names = Object.keys(subjects);
  const results = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) results[name].push(await subjects[name]());
  }
  return results;
}

/**
 * One figure of two subjects over the same rounds: medians, the best round, and the median of the ratios within each
 * round, which is steadier than the ratio of two medians.
 */
export function compare(rounds, peerRounds, figure) {
  const values = rounds.map((round) => round[figure]);
  const peerValues = peerRounds.map((round) => round[figure]);
  return {
    value: median(values),
    best: figure === "perSecond" ? Math.max(...values) : Math.min(...values),
    peerValue: median(peerValues),
    ratio: median(values.map((value, place) => value / peerValues[place])),
  };
}

/** Calls that answer by promises alone would never let timers and sockets of this process have their turn. */
const callsBetweenTurns = 64;

/** Calls one after the other: what one takes in milliseconds, and of this process's time in microseconds. */
export async function timeCalls(call, count) {
  const times = new Float64Array(count);
  const cpuBefore = process.cpuUsage();
  for (let place = 0; place < count; place += 1) {
    const startedAt = performance.now();
    await call();
    times[place] = performance.now() - startedAt;
    if (place % callsBetweenTurns === 0) await turn();
  }
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99), cpu: cpuSince(cpuBefore) / count };
}

/**
 * Keeps every caller busy for a while, each with one call after the other. What was begun before the end counts, and
 * so does the time until it is answered.
 */
export async function pump(callers, durationMs) {
  const times = [];
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  const endsAt = startedAt + durationMs;
  await Promise.all(
    callers.map(async (call) => {
      for (let begin = performance.now(); begin < endsAt; begin = performance.now()) {
        await call();
        times.push(performance.now() - begin);
        if (times.length % callsBetweenTurns === 0) await turn();
      }
    }),
  );
  const seconds = (performance.now() - startedAt) / 1_000;
  return {
    perSecond: times.length / seconds,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    cpu: cpuSince(cpuBefore) / times.length,
  };
}

function cpuSince(before) {
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** The same caller several times: that many of its calls are under way at once. */
export const times = (count, caller) => Array.from({ length: count }, () => caller);
