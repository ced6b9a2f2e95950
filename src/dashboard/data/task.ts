import type { AnswerOf } from "../../tools/calls.ts";

/** A task as the board lists it, in the words of the one lifecycle. */
export type BoardTask = AnswerOf<"task_list">["tasks"][number];

/** The last part of a path: what people call a repository. */
export const repositoryName = (path: string): string => path.split(/[\\/]/).filter(Boolean).at(-1) ?? path;
