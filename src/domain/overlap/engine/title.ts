import { joinPhrases } from "./same-words.ts";
import { fillers } from "./stop-words.ts";
import type { WordReader } from "./word-reader.ts";

/** Trackers put the kind and the urgency of work in front of its title; the work is the same without. */
const label = "task|bug|bugfix|fix|feat|feature|chore|story|work|todo|wip|issue|p[0-4]|critical|high|medium|low|urgent";
const leadingLabel = new RegExp(`^[^\\p{L}\\p{N}]{0,8}(?:\\[ ?(?:${label}) ?\\]|(?:${label}) ?:)`, "iu");
const mostLabels = 3;

/** The same for titles that differ in nothing but case, punctuation, endings, fillers and labels in front. */
export function identifyTitle(title: string, reader: WordReader, most: number): string {
  const terms = reader.read(joinPhrases(dropLabels(title)), most).filter((term) => !fillers.has(term));
  return terms.length === 0 ? title.trim().toLowerCase() : terms.join(" ");
}

function dropLabels(title: string): string {
  let rest = title;
  for (let count = 0; count < mostLabels; count += 1) {
    const shorter = rest.replace(leadingLabel, "");
    if (!/[\p{L}\p{N}]/u.test(shorter)) return rest;
    rest = shorter;
  }
  return rest;
}
