import {
  type AskedOverlap,
  defaultVaultEntries,
  type OverlapFigure,
  type Threshold,
  type ThresholdKey,
  thresholdRanges,
} from "../contract/threshold.ts";
import { defaultSettings, type OverlapSettings } from "../domain/overlap/engine/settings.ts";

/** What an installation sets for itself; each figure is within its range already. */
export interface AskedThresholds {
  readonly overlap?: AskedOverlap;
  /** How many copies of removed worktrees are kept, as far as they may be dropped at all. */
  readonly mostVaultEntries?: number;
}

/** The figures that work is compared by. Figures that contradict each other stop the start. */
export function settleOverlap({ overlap = {} }: AskedThresholds): OverlapSettings {
  const asked = Object.entries(overlap).filter(([, value]) => value !== undefined);
  const settings: OverlapSettings = { ...defaultSettings, ...Object.fromEntries(asked) };
  for (const [small, large, why] of orders) {
    if (settings[small] <= settings[large]) continue;
    const [one, other] = [small, large].map((name) => `overlap.${name} (${settings[name]})`);
    throw new Error(`config.json: ${one} is above ${other}. ${why} Lower the first or raise the second.`);
  }
  return settings;
}

const orders: readonly (readonly [OverlapFigure, OverlapFigure, string])[] = [
  ["warnFloor", "escalateThreshold", "What is asked about must also be recorded."],
  ["maxCandidates", "maxMatches", "What is asked about must also be shown."],
];

/** The figures in force: those the installation was opened with, or has been given since. */
export class Thresholds {
  #overlap: OverlapSettings;
  #mostVaultEntries: number;

  constructor(asked: AskedThresholds) {
    this.#overlap = settleOverlap(asked);
    this.#mostVaultEntries = asked.mostVaultEntries ?? defaultVaultEntries;
  }

  get overlap(): OverlapSettings {
    return this.#overlap;
  }

  get mostVaultEntries(): number {
    return this.#mostVaultEntries;
  }

  /** Every figure a team may set, with what is in force. */
  list(): Threshold[] {
    return listThresholds(this.#overlap, this.#mostVaultEntries);
  }

  /** From now on; figures that contradict each other change nothing. */
  apply(asked: AskedThresholds): void {
    this.#overlap = settleOverlap(asked);
    this.#mostVaultEntries = asked.mostVaultEntries ?? defaultVaultEntries;
  }
}

function listThresholds(overlap: OverlapSettings, mostVaultEntries: number): Threshold[] {
  const values = figuresOf(overlap, mostVaultEntries);
  const defaults = figuresOf(defaultSettings, defaultVaultEntries);
  return (Object.keys(thresholdRanges) as ThresholdKey[]).map((key) => {
    const { least, most, meaning } = thresholdRanges[key];
    return { key, value: values[key], default: defaults[key], least, most, meaning };
  });
}

const figuresOf = (overlap: OverlapSettings, mostVaultEntries: number): Record<ThresholdKey, number> => ({
  "overlap.warnFloor": overlap.warnFloor,
  "overlap.escalateThreshold": overlap.escalateThreshold,
  "overlap.escalationCap": overlap.escalationCap,
  "overlap.maxCandidates": overlap.maxCandidates,
  "overlap.maxMatches": overlap.maxMatches,
  "vault.maxEntries": mostVaultEntries,
});
