import { Refusal } from "../../contract/refusal.ts";

const units: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };

/** `90s`, `30m`, `2h`, or seconds without a unit. */
export function readDuration(option: string, text: string): number {
  const [, amount, unit] = /^(\d{1,6})([smh]?)$/.exec(text.trim()) ?? [];
  if (amount !== undefined) return Number(amount) * (units[unit || "s"] ?? 1_000);
  throw new Refusal("INVALID_REQUEST", `${option} must be a duration.`, `For example: ${option} 90s, 30m or 2h`);
}
