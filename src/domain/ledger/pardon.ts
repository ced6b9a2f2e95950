import type { Head } from "./chain.ts";

/** What a person has accepted of a damaged store: it is told by every verification and held against the store no more. */
export interface Pardon {
  readonly problems: readonly string[];
  /** Where the chain does not hold, and from where it holds again. */
  readonly breaks: readonly { readonly firstBadSeq: number; readonly reason: string; readonly resumes: Head }[];
}

const noPardon: Pardon = { problems: [], breaks: [] };

/** A text that makes no sense accepts nothing. */
export function parsePardon(text: string): Pardon {
  try {
    return { ...noPardon, ...(JSON.parse(text) as Partial<Pardon>) };
  } catch {
    return noPardon;
  }
}

/** What it is kept under. */
export const pardonKey = "acceptedDamage";
