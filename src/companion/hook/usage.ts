import { recordOf } from "./signal.ts";

/** A finished message of opencode as a usage report: its five counters do not overlap, and reasoning is beside output. */
export function usageOfOpencode(
  message: Readonly<Record<string, unknown>>,
): { source: "provider"; payload: Record<string, unknown> } | undefined {
  const tokens = recordOf(message["tokens"]);
  const cache = recordOf(tokens?.["cache"]);
  const count = (value: unknown): number => (typeof value === "number" && value > 0 ? Math.round(value) : 0);
  const input = count(tokens?.["input"]);
  const reasoning = count(tokens?.["reasoning"]);
  const output = count(tokens?.["output"]) + reasoning;
  if (typeof message["id"] !== "string" || input + output === 0) return undefined;
  const payload = {
    id: message["id"],
    model: message["modelID"],
    input,
    output,
    cache_read: count(cache?.["read"]),
    cache_creation: count(cache?.["write"]),
    reasoning,
    ...(typeof message["cost"] === "number" && message["cost"] > 0 ? { cost: message["cost"] } : {}),
  };
  return { source: "provider", payload };
}
