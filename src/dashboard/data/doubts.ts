import type { AnswerOf } from "../../tools/calls.ts";
import { read } from "./api.ts";
import type { LiveEvent } from "./event.ts";
import { type Reading, readAgain } from "./store.ts";

/** Work that may be done twice. */
export type Doubt = AnswerOf<"overlap_list">["items"][number];

/** Work that may be done twice, with both sides. */
export type Comparison = AnswerOf<"overlap_get">;

export const comparisonReading = (id: string): Reading<Comparison> => ({
  key: `overlap of ${id}`,
  load: (signal) => read("/api/overlap/:id", { id }, signal),
  applyEvent: (value, event) => (isAboutDoubts(event) || concerns(value, event) ? readAgain : value),
});

const concerns = ({ work, others }: Comparison, { subject }: LiveEvent): boolean =>
  subject === work.id || others.some(({ id }) => id === subject);

export type Scope = "mine" | "everyone";

export const doubtsReading = (scope: Scope): Reading<readonly Doubt[]> => readings[scope];

const readings = { mine: readingOf("mine"), everyone: readingOf("everyone") };

function readingOf(scope: Scope): Reading<readonly Doubt[]> {
  return {
    key: `overlap ${scope}`,
    async load(signal) {
      const query = { everyone: scope === "everyone", limit: 200 };
      return (await read("/api/overlap", query, signal)).items;
    },
    applyEvent: (value, event) => (isAboutDoubts(event) ? readAgain : value),
  };
}

/** A check, a verdict, a warning, or work that ends or begins because of one. */
export const isAboutDoubts = ({ kind }: LiveEvent): boolean => doubtful.some((part) => kind.startsWith(part));

const doubtful = [
  "task.checked",
  "workstream.checked",
  "scope.",
  "warning.",
  "task.planned",
  "workstream.planned",
  "task.started",
  "workstream.started",
  "developer.updated",
];
