import { walkTogether } from "./alikeness.ts";
import type { Suppression } from "./doc.ts";
import { type Features, listShared } from "./features.ts";
import type { Prepared } from "./prepared.ts";
import type { Held } from "./suppression.ts";
import type { WorkVocabulary } from "./work-vocabulary.ts";

const mostReasons = 3;
const mostWords = 4;
const longestShown = 60;

interface Explained {
  readonly features: Features;
  readonly isSameTicket: boolean;
  readonly held: Held | null;
  readonly query: Prepared;
  readonly other: Prepared;
  /** When the other ended, if it has: the words for it. */
  readonly ended: string | null;
  /** How the query writes a term. */
  readonly spell: (term: string) => string;
}

/** Why a match is one, in plain words: what weighs most first, and last what keeps it from escalating. */
export function explain(match: Explained, vocabulary: WorkVocabulary): string[] {
  const { features, held } = match;
  const ended = match.ended === null ? "" : ` (${match.ended})`;
  const words = listTelling(match, vocabulary);
  const reasons = [
    { weight: features.identicalTitle * 4, say: () => `Same title${ended}` },
    { weight: match.isSameTicket ? 3 : 0, say: () => `Both are about ${nameShared(match, "references", vocabulary)}` },
    { weight: features.filesCosine * 2, say: () => `Both touch ${nameShared(match, "files", vocabulary)}` },
    {
      weight: features.identicalTitle ? 0 : atLeast(features.titleCosine, 0.3),
      say: () => `Titles ${percent(features.titleCosine)} similar${ended}`,
    },
    { weight: atLeast(features.bodyCosine, 0.3), say: () => `Descriptions ${percent(features.bodyCosine)} similar` },
    { weight: words.length > 0 ? features.covered * 0.9 : 0, say: () => `Both speak of ${words.join(", ")}` },
    { weight: features.sameComponent * 0.1, say: () => "Same component" },
  ]
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight);
  const most = held === null ? mostReasons : mostReasons - 1;
  const said = reasons.slice(0, most).map(({ say }) => say());
  return held === null ? said : [...said, describeHeld(held)];
}

const atLeast = (value: number, least: number): number => (value >= least ? value : 0);
const percent = (share: number): string => `${Math.round(share * 100)}%`;

/** The words both use that tell most about the work; numbers by themselves explain nothing to a reader. */
function listTelling({ query, other, spell }: Explained, vocabulary: WorkVocabulary): string[] {
  const shared: { readonly term: string; readonly weight: number }[] = [];
  walkTogether(query.words, other.words, (term, left, right) => {
    if (left === 0 || right === 0 || vocabulary.traits(term) !== 0) return;
    shared.push({ term: vocabulary.term(term), weight: vocabulary.weight(term) });
  });
  const ranked = shared.sort((a, b) => b.weight - a.weight || (a.term < b.term ? -1 : 1));
  return [...new Set(ranked.map(({ term }) => spell(term)))].slice(0, mostWords);
}

/** The first that both have, and how many more. */
function nameShared(match: Explained, what: "files" | "references", vocabulary: WorkVocabulary): string {
  const shared = listShared(match.query[what], match.other[what]).map((number) => vocabulary.term(number).slice(1));
  const [first = "", ...more] = shared.sort();
  const shown = first.length > longestShown ? `…${first.slice(-longestShown)}` : first;
  return more.length === 0 ? shown : `${shown} and ${more.length} more`;
}

const heldTexts: Readonly<Record<Suppression, string>> = {
  closed: "it is closed",
  same_session: "it is the same session's own",
  opposed_action: "the actions are opposed",
  different_component: "the components differ",
  low_information: "too little is said to tell",
  different_numbers: "the numbers differ",
  opposed_words: "opposed words",
  different_work: "another kind of work on the same subject",
  template_sibling: "same pattern, different subject",
};

function describeHeld({ by, words }: Held): string {
  return `Not escalated: ${heldTexts[by]}${words ? ` (${words.join(" / ")})` : ""}`;
}
