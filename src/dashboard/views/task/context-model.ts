import type { AnswerOf } from "../../../tools/calls.ts";
import { callTool } from "../../data/api.ts";
import { type Reading, readAgain } from "../../data/store.ts";
import { isAbout } from "./task-model.ts";

/** What an agent would get to go on with this task. */
export type ContextPack = AnswerOf<"task_load_context">;

export const budgets = [500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000];

export const contextReading = (id: string, maxTokens: number): Reading<ContextPack> => ({
  key: `context:${id}:${maxTokens}`,
  load: () => callTool("task_load_context", { task_id: id, max_tokens: maxTokens }),
  applyEvent: (pack, event) => (isAbout(event, id) ? readAgain : pack),
});

/** The parts of a pack as an agent reads them, without what stands in its summary. */
export function sectionsOf(pack: ContextPack): { name: string; text: string }[] {
  return Object.entries(pack)
    .filter(([name]) => name !== "token_estimate" && name !== "omitted")
    .map(([name, value]) => ({ name, text: JSON.stringify(value, null, 2) }));
}

export const sayOmitted = ({ section, omitted, shortened }: ContextPack["omitted"][number]): string => {
  const parts = [omitted ? `${omitted} left out` : "", shortened ? `${shortened} shortened` : ""];
  return `${section.replaceAll("_", " ")}: ${parts.filter(Boolean).join(", ")}`;
};

export type Recovery = AnswerOf<"recovery_list">["recoveries"][number];

/** What agents got back when they loaded the task's context. */
export const recoveriesReading = (id: string): Reading<readonly Recovery[]> => ({
  key: `recoveries:${id}`,
  load: async () => (await callTool("recovery_list", { task_id: id })).recoveries,
  applyEvent: (value, event) => (event.kind === "recovery.measured" && event.subject === id ? readAgain : value),
});

/** What did not come back, kind by kind; the rest of each was not kept, or is no longer in force. */
export function missingOf({ missing, decisions, files, next_steps }: Recovery) {
  if (missing === undefined) return [];
  return [
    { name: "Decisions", score: decisions, words: missing.decisions.map(({ summary }) => summary) },
    { name: "Files", score: files, words: missing.files },
    { name: "Next steps", score: next_steps, words: missing.next_steps },
  ].flatMap(({ name, score, words }) => {
    const shown = [...new Set(words)];
    return shown.length === 0 ? [] : [{ name, words: shown, more: Math.max(0, score.all - score.kept - words.length) }];
  });
}

export const sayKept = ({ kept, all }: Recovery["files"]): string => (all === 0 ? "—" : `${kept} of ${all}`);
