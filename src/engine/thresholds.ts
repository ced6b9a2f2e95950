import { defaultVaultEntries, type Threshold, type ThresholdKey, thresholdRanges } from "../contract/threshold.ts";
import { defaultSettings, type OverlapSettings } from "../domain/overlap/engine/settings.ts";

/** What an installation sets for itself; each figure is within its range already. */
export interface AskedThresholds {
  readonly overlap?: Readonly<Partial<Record<keyof typeof overlapKeys, number | undefined>>>;
  readonly mostVaultEntries?: number;
}

const overlapKeys = {
  warnFloor: "overlap.warnFloor",
  escalateThreshold: "overlap.escalateThreshold",
  maxCandidates: "overlap.maxCandidates",
  maxMatches: "overlap.maxMatches",
} as const satisfies Partial<Record<keyof OverlapSettings, ThresholdKey>>;

/** The figures that work is compared by. Figures that contradict each other stop the start. */
export function settleOverlap({ overlap = {} }: AskedThresholds): OverlapSettings {
  const asked = Object.entries(overlap).filter(([, value]) => value !== undefined);
  const settings: OverlapSettings = { ...defaultSettings, ...Object.fromEntries(asked) };
  for (const [small, large, why] of orders) {
    if (settings[small] <= settings[large]) continue;
    const [one, other] = [small, large].map((name) => `${overlapKeys[name]} (${settings[name]})`);
    throw new Error(`config.json: ${one} is above ${other}. ${why} Lower the first or raise the second.`);
  }
  return settings;
}

const orders: readonly (readonly [keyof typeof overlapKeys, keyof typeof overlapKeys, string])[] = [
  ["warnFloor", "escalateThreshold", "What is asked about must also be recorded."],
  ["maxCandidates", "maxMatches", "What is asked about must also be shown."],
];

/** Every figure a team may set, with what is in force. */
export function listThresholds(overlap: OverlapSettings, { mostVaultEntries }: AskedThresholds): Threshold[] {
  const figures: Record<ThresholdKey, readonly [value: number, fallback: number]> = {
    "overlap.warnFloor": [overlap.warnFloor, defaultSettings.warnFloor],
    "overlap.escalateThreshold": [overlap.escalateThreshold, defaultSettings.escalateThreshold],
    "overlap.maxCandidates": [overlap.maxCandidates, defaultSettings.maxCandidates],
    "overlap.maxMatches": [overlap.maxMatches, defaultSettings.maxMatches],
    "vault.maxEntries": [mostVaultEntries ?? defaultVaultEntries, defaultVaultEntries],
  };
  return (Object.keys(figures) as ThresholdKey[]).map((key) => {
    const [value, fallback] = figures[key];
    const { least, most, meaning } = thresholdRanges[key];
    return { key, value, default: fallback, least, most, meaning };
  });
}
