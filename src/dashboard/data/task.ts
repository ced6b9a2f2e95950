import type { AnswerOf } from "../../tools/calls.ts";

/** A task as the board lists it, in the words of the one lifecycle. */
/** What an event tells of a new task has no number. */
export type BoardTask = Omit<AnswerOf<"task_list">["tasks"][number], "number"> & { readonly number?: number };

/** The last part of a path: what people call a repository. */
export const repositoryName = (path: string): string => path.split(/[\\/]/).filter(Boolean).at(-1) ?? path;
