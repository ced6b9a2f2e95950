import type { ChangedLine } from "../../../contract/task-diff.ts";
import type { AnswerOf } from "../../../tools/calls.ts";
import { read } from "../../data/api.ts";
import type { LiveEvent } from "../../data/event.ts";
import { type Reading, readAgain } from "../../data/store.ts";

export type PullLine = AnswerOf<"pull_list">["pulls"][number];
export type PullDetail = AnswerOf<"pull_get">;
type PullDiff = AnswerOf<"pull_diff">;
export type PullComment = PullDetail["comments"][number];

export const isAboutPulls = ({ kind }: LiveEvent): boolean => kind.startsWith("pull.");

export const pullsReading: Reading<readonly PullLine[]> = {
  key: "pulls",
  load: async (signal) => (await read("/api/pulls", {}, signal)).pulls,
  applyEvent: (pulls, event) => (isAboutPulls(event) ? readAgain : pulls),
};

export const pullReading = (number: number): Reading<PullDetail> => ({
  key: `pull:${number}`,
  load: (signal) => read("/api/pulls/:id", { id: number }, signal),
  applyEvent: (pull, event) => (isAboutPulls(event) ? readAgain : pull),
});

export const pullDiffReading = (number: number): Reading<PullDiff> => ({
  key: `pull-diff:${number}`,
  load: (signal) => read("/api/pulls/:id/diff", { id: number }, signal),
  applyEvent: (diff, event) => (isAboutPulls(event) ? readAgain : diff),
});

/** What the reader has to know first. */
export function sayState({ status, sent_back, merge_method }: PullLine): string {
  if (status === "open") return sent_back ? "Changes requested" : "Waiting for a decision";
  if (status === "merged") return merge_method === null ? "Merged" : `Merged (${merge_method})`;
  return { opening: "Being opened", merging: "Being merged", closed: "Closed", failed: "Could not be opened" }[status];
}

/** The mark of a state: what waits for a person stands out. */
export function markOf({ status, sent_back }: PullLine): string {
  if (status === "open") return sent_back ? "waits" : "waiting";
  return { opening: "preparing", merging: "preparing", merged: "done", closed: "cancelled", failed: "failed" }[status];
}

/** Which line of which side a comment on this line is about. */
export const spotOf = ({ kind, old, new: after }: ChangedLine): { side: "old" | "new"; line: number } =>
  kind === "deleted" ? { side: "old", line: old ?? 1 } : { side: "new", line: after ?? 1 };

export const commentsAt = (
  comments: readonly PullComment[],
  at: { readonly path: string; readonly side: "old" | "new"; readonly line: number },
): PullComment[] => comments.filter(({ path, side, line }) => path === at.path && side === at.side && line === at.line);

/** Those that no shown line stands for: about the whole, about a file, or about a line that is gone. */
export function commentsElsewhere(comments: readonly PullComment[], diff: PullDiff | undefined): PullComment[] {
  const shown = new Set(
    (diff?.files ?? []).flatMap(({ path, hunks }) =>
      hunks.flatMap(({ lines }) => lines.map((line) => `${path} ${Object.values(spotOf(line)).join(" ")}`)),
    ),
  );
  return comments.filter(({ path, side, line }) => !shown.has(`${path} ${side} ${line}`));
}
