import type { ToolEntry } from "../../contract/plain-routes.ts";
import type { AnswerOf } from "../../tools/calls.ts";
import { read } from "../data/api.ts";
import type { Reading } from "../data/store.ts";
import type { Overlay } from "../page/overlay.ts";

/** Something the palette can do. */
export type PaletteItem =
  | { readonly kind: "place"; readonly id: string; readonly title: string; readonly note: string; readonly to: string }
  | {
      readonly kind: "tool";
      readonly id: string;
      readonly title: string;
      readonly note: string;
      readonly tool: ToolEntry;
    }
  | {
      readonly kind: "overlay";
      readonly id: string;
      readonly title: string;
      readonly note: string;
      readonly overlay: Overlay;
    };

const mostShown = 50;

/** What fits the words somebody types, best first: titles that begin so, then titles, then anything else. */
export function rankItems(items: readonly PaletteItem[], typed: string): PaletteItem[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return items.filter((item) => item.kind !== "tool").slice(0, mostShown);
  return items
    .map((item) => ({ item, score: scoreOf(item, words) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, mostShown)
    .map(({ item }) => item);
}

function scoreOf(item: PaletteItem, words: readonly string[]): number {
  const title = item.title.toLowerCase();
  const rest = `${item.note} ${item.id}`.toLowerCase();
  let score = item.kind === "tool" ? 0 : 0.5;
  for (const word of words) {
    if (title.startsWith(word)) score += 4;
    else if (title.includes(` ${word}`)) score += 3;
    else if (title.includes(word)) score += 2;
    else if (rest.includes(word)) score += 1;
    else return 0;
  }
  return score;
}

/** A task, a note, a file or a message in which the server found the words. */
export type Content = AnswerOf<"content_find">["items"][number];

/** Fewer letters than this are in almost everything. */
const leastTyped = 3;

export const contentReading = (text: string): Reading<readonly Content[]> => ({
  key: `find ${text}`,
  load: async (signal) =>
    text.length < leastTyped ? [] : (await read("/api/find", { text, limit: 20 }, signal)).items,
});

/** What was found by its name stays on top; what the server adds comes below, each place once. */
export function addContent(items: readonly PaletteItem[], content: readonly Content[]): PaletteItem[] {
  const known = new Set(items.map(({ id }) => id));
  const more = content.flatMap((one): PaletteItem[] => {
    const id = one.kind === "file" ? `file ${one.title}` : one.id;
    const to = placeOf(one);
    if (to === undefined || known.has(id)) return [];
    const note = [one.kind, one.developer, one.excerpt].filter(Boolean).join(" · ");
    return [{ kind: "place", id, title: one.title, note, to }];
  });
  return [...items, ...more];
}

const placeOf = ({ kind, task_id, thread_id }: Content): string | undefined => {
  if (kind === "message") return thread_id === null ? undefined : `/messages?thread=${encodeURIComponent(thread_id)}`;
  return task_id === null ? undefined : `/tasks/${task_id}`;
};
