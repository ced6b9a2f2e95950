import { pump, timeCalls, typical, typicalRatio } from "./measure.mjs";
import { row } from "./rows.mjs";

/** One round of reads: one after the other first, then all callers at once. */
export async function measureReads(callers, { count, durationMs }) {
  const { p50, p99 } = await timeCalls(callers[0], count);
  const { perSecond } = await pump(callers, durationMs);
  return { p50, p99, perSecond };
}

/** The rounds of our reads beside those of the bare SDK. */
export function readRows({ ours, bare, prefix = "", under, aim }) {
  const against = (figure) => ({
    peer: "bare SDK",
    value: typical(ours, figure),
    peerValue: typical(bare, figure),
    ratio: typicalRatio(ours, bare, figure),
  });
  return [
    row({ what: `${prefix}one call, p50`, unit: "ms", ...against("p50"), aim }),
    row({ what: `${prefix}one call, p99`, unit: "ms", ...against("p99") }),
    row({ what: `${prefix}${under}`, unit: "calls/s", ...against("perSecond") }),
  ];
}
