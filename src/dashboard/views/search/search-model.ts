import type { AnswerOf, InputOf } from "../../../tools/calls.ts";

export type Found = AnswerOf<"search">;
export type CodeHit = NonNullable<Found["code"]>[number];
export type Touch = AnswerOf<"file_touches">["touches"][number];
export type RecordHit = NonNullable<Found["records"]>[number];

/** What can be typed as `name:value`, and stands as a chip then. */
export const chipNames = ["lang", "path", "ext", "type", "author", "calls", "import", "branch"] as const;
export type ChipName = (typeof chipNames)[number];

export const modes = { all: "Everything", both: "Files", records: "Records" } as const;
export type Mode = keyof typeof modes;

export const isMode = (text: string | null): text is Mode => text !== null && Object.hasOwn(modes, text);

interface Asked {
  readonly text: string;
  readonly chips: ReadonlyMap<ChipName, string>;
  readonly mode: Mode;
  readonly repo: string | undefined;
}

const mostHits = 20;

/** Takes finished `name:value` words out of what was typed; the last word may still be going on. */
export function takeChips(typed: string): { readonly text: string; readonly chips: [ChipName, string][] } {
  const chips: [ChipName, string][] = [];
  const text = typed.replace(/(?:^|(?<=\s))([a-z]+):([^\s"]+)\s/g, (whole, name: string, value: string) => {
    const known = chipNames.find((one) => one === name);
    if (!known) return whole;
    chips.push([known, value]);
    return "";
  });
  return { text, chips };
}

/** The call that answers it; undefined where nothing is asked yet. */
export function askOf({ text, chips, mode, repo }: Asked): InputOf<"search"> | undefined {
  if (text.trim() === "" && chips.size === 0) return undefined;
  return {
    query: text,
    mode,
    top: mostHits,
    context: 1,
    ...(repo !== undefined && { repoPath: repo }),
    ...Object.fromEntries(chips),
  };
}

/** Files and records in one list, files first, each best first. */
export function listHits({ code = [], prose = [], extractedProse = [], records = [] }: Found) {
  const files = [...code, ...prose, ...extractedProse].sort((one, other) => other.score - one.score);
  return { files, records };
}

/** Where a record is shown. */
export function placeOfRecord({ id, kind, meta }: RecordHit): string | undefined {
  const task = kind === "task" || kind === "receipt" ? id : meta["task_id"];
  return typeof task === "string" ? `/tasks/${task}` : undefined;
}

/** Where one hit leads: a record to what shows it, a place in a file to the task that changed the file last. */
export function placeOfHit(hit: CodeHit | RecordHit | undefined, touches: ReadonlyMap<string, Touch>) {
  if (hit === undefined) return undefined;
  if (!("file" in hit)) return placeOfRecord(hit);
  const touch = touches.get(hit.file);
  return touch && `/tasks/${touch.task_id}`;
}
