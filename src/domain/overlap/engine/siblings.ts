import { gapOf, hasFrame, layOver } from "./frame.ts";
import { findOpposed } from "./opposites.ts";
import { type Prepared, termOf } from "./prepared.ts";
import { isTelling, trait } from "./traits.ts";
import type { WorkVocabulary } from "./work-vocabulary.ts";

/** Titles made from one pattern for different work: what sets them apart, and the words that do. */
interface Difference {
  readonly by: "different_numbers" | "opposed_words" | "different_work" | "template_sibling";
  /** A word for either side, where there is one to show. */
  readonly words?: readonly [string, string];
}

/** Why two pieces of work whose titles are much alike are not the same work; undefined if nothing says so. */
export function findDifference(one: Prepared, other: Prepared, vocabulary: WorkVocabulary): Difference | undefined {
  const a = openTitle(one, vocabulary);
  const b = openTitle(other, vocabulary);
  return differInNumbers(a, b) ?? differInDirection(a, b) ?? differInWork(a, b) ?? differInSubject(a, b, vocabulary);
}

/** Whether both titles ask for the same kind of work: the thing itself, tests for it, its description, its review. */
export const isSameWork = (one: Prepared, other: Prepared, vocabulary: WorkVocabulary): boolean =>
  nameWork(openTitle(one, vocabulary)) === nameWork(openTitle(other, vocabulary));

interface Title {
  readonly prepared: Prepared;
  readonly terms: readonly string[];
  readonly traits: readonly number[];
}

const openTitle = (prepared: Prepared, vocabulary: WorkVocabulary): Title => {
  const numbers = Array.from(prepared.title);
  return {
    prepared,
    terms: numbers.map((number) => vocabulary.term(number)),
    traits: numbers.map((number) => vocabulary.traits(number)),
  };
};

/** Review PR 389, review PR 390: each has a number that the other lacks. */
function differInNumbers(one: Title, other: Title): Difference | undefined {
  const mine = listOwnNumbers(one, other);
  const theirs = listOwnNumbers(other, one);
  return mine === undefined || theirs === undefined ? undefined : { by: "different_numbers", words: [mine, theirs] };
}

const listOwnNumbers = (one: Title, other: Title): string | undefined =>
  one.terms.find((term, at) => ((one.traits[at] ?? 0) & trait.number) !== 0 && !other.terms.includes(term));

function differInDirection(one: Title, other: Title): Difference | undefined {
  const words = findOpposed(one.terms, other.terms);
  return words && { by: "opposed_words", words };
}

/** To do a thing, to test it, to describe it and to review it are four pieces of work. */
function differInWork(one: Title, other: Title): Difference | undefined {
  const [mine, theirs] = [nameWork(one), nameWork(other)];
  if (mine === theirs) return undefined;
  if (areBothDocuments([one, other], [mine, theirs])) return undefined;
  const isAboutReview = mine === "review" || theirs === "review";
  const isWeak = isAboutReview && ![one, other].some((title) => startsWith(title, trait.doing, 2));
  return isWeak ? undefined : { by: "different_work", words: [mine, theirs] };
}

/** "Update the README: new table", "new table in the README": who names the document last means the document too. */
const areBothDocuments = (titles: readonly Title[], works: readonly KindOfWork[]): boolean =>
  works.includes("documents") &&
  works.includes("the thing itself") &&
  titles.every(({ traits }) => traits.some((bits) => bits & trait.docs));

type KindOfWork = "tests" | "documents" | "review" | "the thing itself";

function nameWork(title: Title): KindOfWork {
  if (title.traits.some((traits) => traits & trait.test)) return "tests";
  if (startsWith(title, trait.docs, 3) || title.terms[0] === "document") return "documents";
  if (isReview(title)) return "review";
  return "the thing itself";
}

/** Review the log, but not: add an audit log. */
const isReview = (title: Title): boolean => startsWith(title, trait.review, startsWith(title, trait.doing, 1) ? 0 : 2);

const startsWith = (title: Title, bit: number, within: number): boolean =>
  title.traits.slice(0, within).some((traits) => traits & bit);

/** From this weight on a word names something: a function, a module, a product. */
const weightOfName = 8;
const mostInGap = 2;

/** Port strstr, port strnstr: one gap in the same frame, a name in it on either side that the other never mentions. */
function differInSubject(one: Title, other: Title, vocabulary: WorkVocabulary): Difference | undefined {
  const [a, b] = [one.prepared.title, other.prepared.title];
  const frame = layOver(a, b);
  if (!hasFrame(frame, a, b)) return undefined;
  const mine = hasOwnName(gapOf(frame, a), other.prepared, vocabulary);
  const theirs = hasOwnName(gapOf(frame, b), one.prepared, vocabulary);
  return mine && theirs ? { by: "template_sibling" } : undefined;
}

function hasOwnName(gap: Uint32Array, other: Prepared, vocabulary: WorkVocabulary): boolean {
  if (gap.length > mostInGap) return false;
  const name = gap.find(
    (number) => vocabulary.shippedWeight(number) >= weightOfName && isTelling(vocabulary.traits(number)),
  );
  return name !== undefined && !other.words.some((word) => termOf(word) === name);
}
