import { Refusal } from "../../contract/refusal.ts";
import type { Instance } from "../instance/model.ts";
import { type Feedback, type NamedItem, nameItems, openItems, type Review, type TrackedItem } from "./model.ts";

/** What is seen of a coder's folder. */
interface Ground {
  readonly branch: string | null;
  readonly head: string | null;
  readonly uncommitted: readonly string[];
  readonly uncommittedCount: number;
  readonly underWay: string | null;
}

/** A reviewer sees what is committed, and nothing else (RV4). Answers what it will see. */
export function checkCommitted(ground: Ground): { readonly branch: string; readonly head: string } {
  const { branch, head, uncommitted, uncommittedCount, underWay } = ground;
  if (underWay !== null) {
    throw new Refusal(
      "INVALID_STATE",
      `A ${underWay} is under way in the work tree.`,
      "Finish or abort it, then call again.",
    );
  }
  if (uncommittedCount > 0) {
    const named = uncommitted.slice(0, 10).join(", ");
    const more = uncommittedCount > 10 ? ` and ${uncommittedCount - 10} more` : "";
    throw new Refusal(
      "INVALID_STATE",
      `The work tree has uncommitted changes: ${named}${more}.`,
      "Commit them, or have them ignored, then call again.",
      { files: uncommitted, file_count: uncommittedCount },
    );
  }
  if (head === null)
    throw new Refusal("INVALID_STATE", "There is no commit yet.", "Commit your work, then call again.");
  if (branch === null) {
    throw new Refusal("INVALID_STATE", "HEAD is on no branch.", "Check out a branch with your work, then call again.");
  }
  return { branch, head };
}

const suggestions = [
  "Create pull request with current work",
  "Abandon this approach and try different solution",
  "Manually review and fix issues before requesting review",
];

interface RoundAsk {
  readonly coder: Instance;
  readonly live: Review | undefined;
  readonly rounds: number;
  readonly maxIterations: number;
}

/** Which round it is, if there may be one (RV2, RV3, RV5). */
export function decideRound({ coder, live, rounds, maxIterations }: RoundAsk): number {
  if (live) {
    throw new Refusal("REVIEW_IN_PROGRESS", `Review ${live.id} of this work is under way.`, "Wait for its feedback.", {
      review_instance_id: live.id,
    });
  }
  if (coder.status === "abandoned") {
    const why = coder.endReason === null ? "" : ` ${coder.endReason}`;
    throw new Refusal("INVALID_STATE", `This work was abandoned.${why}`, "Try another approach on another branch.");
  }
  if (coder.status !== "started") {
    throw new Refusal("INVALID_STATE", `The instance is ${coder.status}; only started work is reviewed.`);
  }
  const most = maxIterations + coder.grantedRounds;
  if (rounds >= most) {
    throw new Refusal(
      "REVIEW_LIMIT_EXCEEDED",
      `Maximum review iterations (${most}) reached for agent ${coder.id}`,
      "Follow one of the suggestions, or ask a person to allow one more round.",
      { error: "REVIEW_LIMIT_EXCEEDED", suggestions, current_iteration: rounds, max_iterations: most },
    );
  }
  return rounds + 1;
}

/** A reviewer speaks once. */
export function checkIsLive(review: Review): void {
  if (review.outcome === "live") return;
  throw new Refusal("INVALID_STATE", "This review is over.", "Nothing more is expected of you.");
}

/** The file that a coder finds on its branch. What the reviewer wrote stands in it as it was given. */
export function writeFeedback(feedback: Feedback, stillOpen: readonly NamedItem[]): string {
  const { round, type, priority, items, text, reviewId } = feedback;
  const list = items.map((item, at) =>
    [
      `${at + 1}. ${item.description}`,
      ...(item.category === undefined ? [] : [`   - Category: ${item.category}`]),
      ...(item.priority === undefined ? [] : [`   - Priority: ${item.priority}`]),
      ...(item.location === undefined ? [] : [`   - Location: ${item.location}`]),
      ...(item.suggestion === undefined ? [] : [`   - Suggestion: ${item.suggestion}`]),
    ].join("\n"),
  );
  return [
    "# Review feedback",
    "",
    `- Round: ${round}`,
    `- Type: ${type}`,
    ...(priority === null ? [] : [`- Priority: ${priority}`]),
    `- Reviewer: ${reviewId}`,
    "",
    ...(list.length === 0 ? [] : ["## To do", "", ...list, ""]),
    ...(stillOpen.length === 0
      ? []
      : [
          "## Still open from earlier rounds",
          "",
          ...stillOpen.map((item) => `- ${item.name}: ${item.description}`),
          "",
        ]),
    "## In full",
    "",
    text,
    "",
  ].join("\n");
}

/** Which of what earlier rounds asked for changes when these are done; a name that is not open is refused. */
export function settleItems(
  given: readonly Feedback[],
  done: readonly string[],
  round: number,
): { readonly feedback: Feedback; readonly items: TrackedItem[] }[] {
  const open = new Set(openItems(given).map(({ name }) => name));
  const unknown = done.filter((name) => !open.has(name));
  if (unknown.length > 0) {
    throw new Refusal(
      "INVALID_INPUT",
      `No open item is called ${unknown.slice(0, 5).join(", ")}.`,
      open.size === 0 ? "No item of an earlier round is open." : `Open are: ${[...open].slice(0, 20).join(", ")}.`,
      { open_items: [...open] },
    );
  }
  const names = new Set(done);
  return given.flatMap((feedback) => {
    const named = nameItems(feedback);
    if (!named.some(({ name }) => names.has(name))) return [];
    const items = feedback.items.map((item, at) =>
      names.has(named[at]?.name ?? "") ? { ...item, doneIn: round } : item,
    );
    return [{ feedback, items }];
  });
}
