import { joinPhrases } from "./same-words.ts";
import { stem } from "./stem.ts";
import { fillers } from "./stop-words.ts";
import { visitWords } from "./word-reader.ts";

/** Trackers put the kind and the urgency of work in front of its title; the work is the same without. */
const label = "task|bug|bugfix|fix|feat|feature|chore|story|work|todo|wip|issue|p[0-4]|critical|high|medium|low|urgent";
const leadingLabel = new RegExp(`^[^\\p{L}\\p{N}]{0,8}(?:\\[ ?(?:${label}) ?\\]|(?:${label}) ?:)`, "iu");
const mostLabels = 3;

/**
 * The same for titles that differ in nothing but case, punctuation, endings, fillers and labels in front. Words that
 * merely mean the same stay apart here: who reads "same title" expects to see it.
 */
export function identifyTitle(title: string, most: number): string {
  const terms: string[] = [];
  visitWords(joinPhrases(dropLabels(title.slice(0, most))), most, (text, start, end) => {
    const word = text.slice(start, end).toLowerCase();
    if (!fillers.has(word)) terms.push(stem(word));
  });
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
