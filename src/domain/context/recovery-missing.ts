import type { Note } from "../note/model.ts";
import type { Missing, MissingPlaces } from "./recovery-model.ts";

/** All that could be missing of a task, by where it stands. */
export interface TaskWords {
  /** In force, newest first. */
  readonly decisions: readonly Note[];
  /** Paths by the note that names them and their place in there; the same path can stand in several. */
  readonly files: ReadonlyMap<string, string>;
  readonly steps: readonly string[];
  readonly plan: string | null;
  readonly receipt: number | null;
}

const mostListed = 20;

/** Where that stands which is not in the pack, a few of each kind (CX17). */
export function placeMissing(
  { decisions, files, steps, plan, receipt }: TaskWords,
  isKept: { readonly decision: Test; readonly file: Test; readonly step: Test },
): MissingPlaces {
  const paths = new Map<string, string>();
  for (const [place, path] of files) if (!paths.has(path) && !isKept.file(path)) paths.set(path, place);
  return {
    decisions: few(decisions.filter(({ summary }) => !isKept.decision(summary)).map(({ sequence }) => sequence)),
    files: few([...paths.values()]),
    steps: few(steps.flatMap((step, at) => (isKept.step(step) ? [] : [at]))),
    plan,
    receipt,
  };
}

type Test = (words: string) => boolean;

const few = <One>(all: readonly One[]): One[] => all.slice(0, mostListed);

/** What stood there, of what is in force now: what was given up meanwhile does not come back (CX17). */
export function findMissing(places: MissingPlaces, words: TaskWords): Missing {
  const isOf = (place: string): boolean => !place.startsWith(ofReceipt) || places.receipt === words.receipt;
  return {
    decisions: words.decisions.filter(({ sequence }) => places.decisions.includes(sequence)),
    files: places.files.flatMap((place) => (isOf(place) ? (words.files.get(place) ?? []) : [])),
    steps: places.plan === words.plan ? places.steps.flatMap((at) => words.steps[at] ?? []) : [],
  };
}

/** Notes are numbered from 1 on. */
const ofReceipt = "0.";

export const placeOfFile = (sequence: number, at: number): string => `${sequence}.${at}`;
