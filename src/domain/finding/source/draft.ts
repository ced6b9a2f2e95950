import type { AssetFacts, Exposure, PackageFacts, Vulnerability } from "../model.ts";

/** What one scanner's report says, before it has our words. */
export interface Draft {
  /** What the scanner itself knows it by. */
  readonly alertKey: string | null;
  readonly service?: string | null;
  readonly env?: string | null;
  readonly team?: string | null;
  readonly owner?: string | null;
  readonly repo?: string | null;
  readonly vuln: Omit<Vulnerability, "severity" | "title"> & {
    readonly title: string | null;
    readonly severity: string | null;
  };
  readonly package: Partial<PackageFacts>;
  readonly asset?: Partial<AssetFacts>;
  readonly exposure?: Partial<Exposure>;
  readonly warnings?: readonly string[];
}
