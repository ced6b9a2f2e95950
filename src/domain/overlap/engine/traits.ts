import { unify } from "./same-words.ts";
import { stem } from "./stem.ts";
import { stopWords } from "./stop-words.ts";

/** What a term is besides a word, as bits, so that it is found out once for each term and not for each comparison. */
export const trait = { stop: 1, number: 2, generic: 4, test: 8, docs: 16, review: 32, doing: 64 } as const;

/** Words that would fit any work at all, and those that tell what kind of work it is. */
const words: Readonly<Record<Exclude<keyof typeof trait, "stop" | "number">, string>> = {
  generic: `allow apply audit avoid bad bug bugfix change check chore clean cleanup code complete continue correct ensure
    epic existing fail failing failure feat feature finish follow followup general get good handle have help improve
    inside investigate issue keep let look make manage minor misc miscellaneous move need new old pre problem provide qa
    quick run set several small start story stuff support task thing ticket todo tweak update use util various verify
    want wip work`,
  test: "test testing coverage e2e unittest benchmark bench",
  docs: "doc documentation docstring readme changelog tutorial",
  review: "review audit inspect",
  doing: `add implement create build introduce support write fix resolve repair refactor rename extract simplify remove
    delete drop replace migrate update upgrade`,
};

/** Any other term with a digit in it is the number or the id of something. */
const wordsWithDigits = new Set("e2e i18n l10n a11y k8s k3s 2fa 3d 2d b2b p2p mp3 mp4 o11y".split(" "));

const byTerm = collect();
const stops = new Set([...stopWords].map((word) => unify(stem(word))));

export function traitsOf(term: string): number {
  const isNumber = /\d/.test(term) && !wordsWithDigits.has(term);
  return (byTerm.get(term) ?? 0) | (isNumber ? trait.number : 0) | (stops.has(term) ? trait.stop : 0);
}

/** Whether the term helps to tell one piece of work from another. */
export const isTelling = (traits: number): boolean => (traits & ~trait.number) === 0;

function collect(): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const [name, list] of Object.entries(words)) {
    const bit = trait[name as keyof typeof words];
    for (const word of list.split(/\s+/)) {
      const term = unify(stem(word));
      found.set(term, (found.get(term) ?? 0) | bit);
    }
  }
  return found;
}
