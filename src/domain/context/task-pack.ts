import type { Note } from "../note/model.ts";
import type { Share } from "../task/model.ts";
import { type Chosen, fillPack, listOmissions } from "./pack.ts";
import type { Omission, PackedTask, PackPart, PackVoice, TaskContext, Wanted } from "./task-context.ts";
import { type TaskPiece, TaskPieces } from "./task-pieces.ts";

export interface PackTaskAsk<Answer> {
  readonly budget: number;
  /** Counts the tokens of a text, never too low. */
  count(text: string): number;
  readonly voice: PackVoice;
  /** The whole answer with what was chosen in it. */
  build(context: TaskContext, packed: PackedTask): Answer;
}

/** With less there is no room to say of every section what is missing. */
const leastForSections = 400;

export interface TaskPack<Answer> {
  readonly answer: Answer;
  readonly packed: PackedTask;
}

/** As much of a task's context as the budget allows, and what that left out (CX3). */
export function packTask<Answer>(context: TaskContext, wanted: Wanted, ask: PackTaskAsk<Answer>): TaskPack<Answer> {
  const { budget, count, voice } = ask;
  const isTight = budget < leastForSections;
  const pieces = listPieces(context, wanted, new TaskPieces(voice));
  const unread = Object.fromEntries(
    Object.entries(countUnread(context, wanted)).map(([part, left]) => [voice.sections[part as PackPart], left]),
  );
  const packedOf = (
    chosen: readonly Chosen<TaskPiece>[],
    omitted: readonly Omission[],
    tokens: number,
  ): PackedTask => ({
    chosen: inOrder(chosen),
    omitted: isTight ? inAll(omitted) : omitted,
    isTight,
    tokens,
  });
  const build = (chosen: readonly Chosen<TaskPiece>[], omitted: readonly Omission[]): Answer =>
    ask.build(context, packedOf(chosen, omitted, budget));
  const chosen = fillPack(pieces, { budget, count, build, unread });
  const omitted = listOmissions(pieces, chosen, unread);
  // The estimate is part of the answer: it was measured with the widest number it could be.
  const packed = packedOf(chosen, omitted, count(JSON.stringify(build(chosen, omitted))));
  return { answer: ask.build(context, packed), packed };
}

const inOrder = (chosen: readonly Chosen<TaskPiece>[]): PackedTask["chosen"] =>
  [...chosen]
    .sort((one, other) => one.piece.order - other.piece.order)
    .map(({ piece, value }) => ({ part: piece.part, value }));

const inAll = (omitted: readonly Omission[]): Omission[] => {
  const pieces = omitted.reduce((sum, one) => sum + (one.omitted ?? 0) + (one.shortened ?? 0), 0);
  return pieces === 0 ? [] : [{ section: "all", omitted: pieces }];
};

const firstFiles = 5;
const mostFiles = 50;
const mostOfSource = 2_000;

/**
 * What may go in, most needed first: the plan in force, what went wrong, what was decided, changed files; then the task
 * itself, its last steps, what it builds on; then the rest of the picture.
 */
function listPieces(context: TaskContext, wanted: Wanted, pieces: TaskPieces): TaskPiece[] {
  const { task } = context;
  const notes = notePieces(context, wanted, pieces);
  const files = context.files.slice(0, mostFiles).map((file, order) => pieces.file(file, order));
  return [
    ...pieces.text("taskName", task.name, { share: 0.04 }),
    ...(task.plan ? [pieces.plan(task.plan, 0.2)] : []),
    ...pieces.text("error", task.error, { share: 0.1 }),
    ...notes.urgent,
    ...(context.mission ? pieces.mission(context.mission) : []),
    ...files.slice(0, firstFiles),
    ...pieces.text("description", task.description, { share: 0.12 }),
    ...notes.highlights,
    ...pieces.text("outcome", task.outcome, { share: 0.1 }),
    ...notes.recent,
    ...files.slice(firstFiles),
    ...(wanted.dependencies ? context.dependencies.tasks.map((one, order) => pieces.dependency(one, order)) : []),
    ...workflowPieces(context, wanted, pieces),
    ...(Object.keys(task.context).length > 0 ? [pieces.context(task.context, 0.1)] : []),
    ...(wanted.siblings ? context.siblings.tasks.map((one, order) => pieces.sibling(one, order)) : []),
    ...(wanted.prior
      ? context.prior.tasks.map((prior, order) => pieces.prior(prior, order, wanted.priorInFull)).reverse()
      : []),
    ...notes.older,
  ];
}

const workflowPieces = ({ workflow }: TaskContext, wanted: Wanted, pieces: TaskPieces): TaskPiece[] => [
  ...pieces.text("workflowName", workflow?.name, { share: 0.03 }),
  ...pieces.text("workflowPlan", wanted.workflowPlan ? workflow?.plan?.summary : null, { share: 0.08 }),
  ...pieces.text("workflowSource", wanted.workflowSource ? workflow?.sourceContent : null, {
    share: 0.08,
    most: mostOfSource,
  }),
];

/** Newest first. The newest error and decision go before everything else, the rest of the highlights soon after. */
function notePieces({ notes, highlights }: TaskContext, wanted: Wanted, pieces: TaskPieces) {
  const recent = new Set(notes.slice(notes.length - Math.min(wanted.recentNotes, notes.length)).map(idOf));
  const isHighlight = new Set(highlights.map(idOf));
  const highlightPiece = (note: Note, share: number): TaskPiece =>
    recent.has(note.id)
      ? pieces.note(note, share)
      : pieces.noteLine(note, wanted.allNotes ? "notes" : "highlights", share);
  const newest = [...highlights].reverse();
  const urgent = ["error", "decision"].flatMap((kind) => newest.find((note) => note.kind === kind) ?? []);
  const rest = [...notes].reverse().filter((note) => !isHighlight.has(note.id));
  return {
    urgent: urgent.map((note) => highlightPiece(note, 0.08)),
    highlights: newest.filter((note) => !urgent.includes(note)).map((note) => highlightPiece(note, 0.04)),
    recent: rest.filter((note) => recent.has(note.id)).map((note) => pieces.note(note, 0.08)),
    older: wanted.allNotes
      ? rest.filter((note) => !recent.has(note.id)).map((note) => pieces.noteLine(note, "notes", 0.02))
      : [],
  };
}

const idOf = (note: Note): string => note.id;

/** What exists and was asked for, but was not even read. */
function countUnread(context: TaskContext, wanted: Wanted): Partial<Record<PackPart, number>> {
  const { notes, noteCount, highlights, files, prior, siblings, dependencies } = context;
  const read = new Set([...notes, ...highlights].map(idOf)).size;
  const leftOf = ({ tasks, total }: Share): number => total - tasks.length;
  return {
    notes: wanted.allNotes ? noteCount - read : 0,
    files: Math.max(0, files.length - mostFiles),
    dependencies: wanted.dependencies ? leftOf(dependencies) : 0,
    siblings: wanted.siblings ? leftOf(siblings) : 0,
    prior: wanted.prior ? leftOf(prior) : 0,
  };
}
