import { shortened } from "../../contract/shortened.ts";
import type { Note } from "../note/model.ts";
import type { Task, TaskPlan } from "../task/model.ts";
import type { Fitted, Piece } from "./pack.ts";
import type { FailingCheck, PackLine, PackPart, PackVoice, TaskMission } from "./task-context.ts";

/** A piece of a task's context, by the part of the pack it belongs to. */
export interface TaskPiece extends Piece {
  readonly part: PackPart;
  /** Lists are in this order, whatever the order in which their pieces were chosen. */
  readonly order: number;
}

/** Shorter than this a cut text says nothing. */
const leastText = 40;
const leastOfMission = 80;
const shortOutcome = 300;

/** How each piece of a task's context shrinks; the voice says how it is written. */
export class TaskPieces {
  readonly #voice: PackVoice;

  constructor(voice: PackVoice) {
    this.#voice = voice;
  }

  /** A text that can be cut at its end, or nothing where there is none; `most` is how long it may ever be. */
  text(part: PackPart, value: string | null | undefined, ask: { share: number; most?: number }): TaskPiece[] {
    if (!value) return [];
    const fit = (room: number): Fitted | undefined => {
      const most = Math.min(room, ask.most ?? room);
      if (value.length <= most) return { value, cut: 0 };
      const text = shortened(value, most);
      return most < leastText ? undefined : { value: text, cut: value.length - text.length };
    };
    return [this.#piece(part, fit, { share: ask.share })];
  }

  /** A plan that does not fit gives up its file lists and its last steps before its approach. */
  plan(plan: TaskPlan, share: number): TaskPiece {
    const forms = [plan, { approach: plan.approach, steps: plan.steps }];
    return this.#piece("plan", (most) => fitForm(forms, most, planWithin(plan, most)), { share });
  }

  /** As many entries of the task's own context as there is room for. */
  context(context: PackLine, share: number): TaskPiece {
    return this.#piece("context", (most) => fitForm([context], most, entriesWithin(context, most)), { share });
  }

  /** A note in full, then with less, then as a line. */
  note(note: Note, share: number): TaskPiece {
    const { full, brief } = this.#voice.note(note);
    const fit = (most: number) => fitForm([full, brief], most, this.#lineOf(note, most));
    return this.#piece("notes", fit, { share, order: note.sequence });
  }

  /** A note as a line from the start. */
  noteLine(note: Note, part: "highlights" | "notes", share: number): TaskPiece {
    const fit = (most: number) => fitForm([this.#lineOf(note, note.summary.length)], most, this.#lineOf(note, most));
    return this.#piece(part, fit, { share, order: note.sequence });
  }

  #lineOf(note: Note, most: number): PackLine {
    return this.#voice.noteLine(note, shortened(note.summary, Math.max(leastText, most)));
  }

  file(file: string, order: number): TaskPiece {
    return this.#piece("files", (most) => (file.length <= most ? { value: file, cut: 0 } : undefined), { order });
  }

  dependency(task: Task, order: number): TaskPiece {
    const fit = (most: number) => fitOutcome(task, most, (outcome) => this.#voice.dependency(task, outcome));
    return this.#piece("dependencies", fit, { share: 0.05, order });
  }

  sibling(task: Task, order: number): TaskPiece {
    const { full, brief } = this.#voice.sibling(task);
    return this.#piece("siblings", (most) => fitForm([full], most, brief), { share: 0.02, order });
  }

  prior(task: Task, order: number, isFull: boolean): TaskPiece {
    const fit = (most: number): Fitted => {
      const whole = isFull ? this.#voice.priorInFull(task) : undefined;
      if (whole && lengthOf(whole) <= most) return { value: whole, cut: 0 };
      const room = isFull ? most : Math.min(most, shortOutcome);
      return fitOutcome(task, room, (outcome) => this.#voice.prior(task, outcome));
    };
    return this.#piece("prior", fit, { share: isFull ? 0.2 : 0.04, order });
  }

  /** Most needed first: what fails, what blocks, where it stands. */
  mission(mission: TaskMission): TaskPiece[] {
    return [
      ...mission.failing.map((check, order) => this.#failing(check, order)),
      ...mission.blockers.map((note, order) => this.#blocker(note, order)),
      this.#piece("missionState", () => ({ value: this.#voice.missionState(mission), cut: 0 })),
      this.#piece("objective", (most) => fitWords(mission.brief.objective, most, (text) => text), { share: 0.05 }),
    ];
  }

  #failing(check: FailingCheck, order: number): TaskPiece {
    const { lastLines } = check.result;
    const fit = (most: number): Fitted => {
      // The end of an output is where the reason stands.
      const kept = lastLines.slice(Math.max(0, lastLines.length - most));
      return { value: this.#voice.failingCheck(check, kept), cut: lastLines.length - kept.length };
    };
    return this.#piece("failingChecks", fit, { share: 0.08, order });
  }

  #blocker(note: Note, order: number): TaskPiece {
    const fit = (most: number) => fitWords(note.summary, most, (text) => this.#voice.blocker(note, text));
    return this.#piece("blockers", fit, { share: 0.05, order });
  }

  #piece(
    part: PackPart,
    fit: TaskPiece["fit"],
    { order = 0, ...more }: { share?: number; order?: number } = {},
  ): TaskPiece {
    return { part, section: this.#voice.sections[part], order, fit, ...more };
  }
}

function planWithin(plan: TaskPlan, most: number): PackLine {
  const approach = shortened(plan.approach, Math.max(leastText, most >> 1));
  let left = most - approach.length;
  const steps = plan.steps.filter((step) => {
    left -= step.length;
    return left >= 0;
  });
  return { approach, steps };
}

function entriesWithin(value: PackLine, most: number): PackLine | undefined {
  let left = most;
  const kept = Object.entries(value).filter(([key, entry]) => {
    const size = key.length + lengthOf(entry);
    if (size > left) return false;
    left -= size;
    return true;
  });
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

function fitOutcome({ outcome }: Task, most: number, lineOf: (outcome: string) => PackLine): Fitted {
  const text = shortened(outcome ?? "", Math.max(leastText, most));
  return { value: lineOf(text), cut: (outcome?.length ?? 0) - text.length };
}

function fitWords(words: string, most: number, formOf: (text: string) => unknown): Fitted {
  const text = shortened(words, Math.max(leastOfMission, most));
  return { value: formOf(text), cut: words.length - text.length };
}

/** The first of these forms that is short enough, else the last resort. What it lacks of the first is its cut. */
function fitForm(forms: readonly PackLine[], most: number, lastResort: PackLine | undefined): Fitted | undefined {
  const form = forms.find((one) => lengthOf(one) <= most) ?? (most < leastText ? undefined : lastResort);
  return form && { value: form, cut: Math.max(0, lengthOf(forms[0]) - lengthOf(form)) };
}

const lengthOf = (value: unknown): number => JSON.stringify(value)?.length ?? 0;
