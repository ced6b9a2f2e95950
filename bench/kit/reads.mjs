import { compare, pump, timeCalls } from "./measure.mjs";
import { row } from "./rows.mjs";

/** One round of reads: one after the other first, then all callers at once. */
export async function measureReads(callers, { count, durationMs }) {
  const { p50, p99 } = await timeCalls(callers[0], count);
  const { perSecond, cpu } = await pump(callers, durationMs);
  return { p50, p99, perSecond, cpu };
}

/** The rounds of our reads beside those of the bare SDK. Processor time is told where all of it is this process's. */
export function readRows({ ours, bare, peer = "bare SDK", prefix = "", under, aim, isOneProcess = false }) {
  const against = (figure) => ({ peer, ...compare(ours, bare, figure) });
  return [
    row({ what: `${prefix}one call, p50`, unit: "ms", ...against("p50"), aim }),
    row({ what: `${prefix}one call, p99`, unit: "ms", ...against("p99") }),
    row({ what: `${prefix}${under}`, unit: "calls/s", ...against("perSecond") }),
    ...(isOneProcess ? [row({ what: `${under}, processor time of a call`, unit: "µs", ...against("cpu") })] : []),
  ];
}
