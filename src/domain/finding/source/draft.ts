import type { AssetFacts, Exposure, PackageFacts, ScannerFacts, Vulnerability } from "../model.ts";

/** What one scanner's report says, before it has our words. */
export interface Draft {
  /** What the scanner itself knows it by. */
  readonly alertKey: string | null;
  readonly service?: string | null;
  readonly env?: string | null;
  readonly team?: string | null;
  readonly owner?: string | null;
  readonly repo?: string | null;
  readonly scanner?: ScannerFacts | undefined;
  readonly vuln: Omit<Vulnerability, "severity" | "title"> & {
    readonly title: string | null;
    readonly severity: string | null;
  };
  readonly package: Partial<PackageFacts>;
  readonly asset?: Partial<AssetFacts>;
  readonly exposure?: Partial<Exposure>;
  readonly warnings?: readonly string[];
}

/** What a scanner thinks of its report, where its word for it is known. */
export function scannerOf(
  word: string | null,
  words: Readonly<Record<string, ScannerFacts["state"]>>,
  reason: string | null,
): ScannerFacts | undefined {
  const known = (word ?? "").toLowerCase();
  const state = Object.hasOwn(words, known) ? words[known] : undefined;
  return state && { state, reason: state === "dismissed" ? reason : null };
}
