import type { TestHouse } from "../../src/testing/house.ts";
import { completeTask, startMission, startTask } from "./repository.ts";

/** A diff as `task_diff` answers it. */
export interface Diff {
  readonly task_id: string;
  readonly level: string;
  readonly kind: string;
  readonly is_complete: boolean;
  readonly is_stale: boolean;
  readonly files: readonly DiffFile[];
  readonly files_count: number;
  readonly files_left: number;
}

export interface DiffFile {
  readonly path: string;
  readonly change: string;
  readonly state: string;
  readonly missing: readonly string[];
  readonly before: string | null;
  readonly after: string | null;
  readonly unexpected: boolean;
  readonly stale: boolean;
  readonly added_lines: number;
  readonly deleted_lines: number;
  readonly hunks: readonly { readonly lines: readonly { kind: string; text: string; old: number | null }[] }[];
  readonly left_out_lines: number;
}

export const readDiff = (house: TestHouse, task_id: string, more: object = {}): Promise<Diff> =>
  house.call<Diff>("task_diff", { task_id, ...more });

/** A task that does this in a folder, from its start to its receipt. */
export async function doTask(house: TestHouse, folder: string, act: () => unknown, areas: string[] = []) {
  const mission_id = await startMission(house);
  const { task_id } = await startTask(house, { mission_id, areas, repository_path: folder });
  await act();
  await completeTask(house, task_id);
  return task_id;
}

const signs: Readonly<Record<string, string>> = { same: " ", added: "+", deleted: "-" };

/** The lines of a file as a reader sees them, or why there are none. */
export const linesOf = (file: DiffFile | undefined): string[] | string =>
  file?.state === "shown"
    ? file.hunks.flatMap(({ lines }) => lines.map(({ kind, text }) => `${signs[kind]}${text}`))
    : `${file?.state} ${file?.missing.join(" and ")}`.trim();

/** What every file of a diff shows. */
export const shownIn = ({ files }: Diff): Record<string, string[] | string> =>
  Object.fromEntries(files.map((file) => [file.path, linesOf(file)]));
