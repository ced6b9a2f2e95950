import type { House } from "../../engine/house.ts";

type Gauges = Record<string, number | Record<string, string>>;

/** The counters in Prometheus' text form. */
export function metricsText(house: House, gauges: Gauges): string {
  const lines = [
    "# TYPE crewdeck_uptime_seconds gauge",
    `crewdeck_uptime_seconds ${(house.sources.now() - house.startedAt) / 1_000}`,
    "# TYPE crewdeck_resident_bytes gauge",
    `crewdeck_resident_bytes ${process.memoryUsage.rss()}`,
    "# TYPE crewdeck_feed_followers gauge",
    `crewdeck_feed_followers ${house.feed.followerCount}`,
  ];
  for (const [name, value] of Object.entries(gauges)) {
    lines.push(`# TYPE crewdeck_${name} gauge`);
    lines.push(typeof value === "number" ? `crewdeck_${name} ${value}` : `crewdeck_${name}${labels(value)} 1`);
  }
  const calls = house.metrics.calls();
  // All lines of one metric stand together, or a scraper takes the second group for a new one.
  lines.push("# TYPE crewdeck_calls_total counter");
  for (const { tool, outcome, count } of calls) lines.push(`crewdeck_calls_total${labels({ tool, outcome })} ${count}`);
  lines.push("# TYPE crewdeck_call_milliseconds_total counter");
  for (const { tool, outcome, totalMs } of calls) {
    lines.push(`crewdeck_call_milliseconds_total${labels({ tool, outcome })} ${totalMs}`);
  }
  return `${lines.join("\n")}\n`;
}

const labels = (values: Record<string, string>): string =>
  `{${Object.entries(values)
    .map(([name, value]) => `${name}="${value.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n")}"`)
    .join(",")}}`;
