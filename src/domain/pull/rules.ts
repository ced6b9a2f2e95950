import { type ErrorCode, errorCodes } from "../../contract/errors.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { MergeMethod, Pull, PullComment, PullStatus } from "./model.ts";

/** A decision about a pull request is made once, here, and while nobody else is at it. */
export function checkDecidable(pull: Pull): void {
  if (pull.host !== "local") {
    throw new Refusal("INVALID_STATE", "This pull request is on GitHub.", "Decide it there; its state is followed.", {
      url: pull.url,
    });
  }
  if (pull.status === "open") return;
  throw new Refusal("INVALID_STATE", `The pull request is ${pull.status}.`, sayNext[pull.status], {
    status: pull.status,
  });
}

const sayNext: Record<PullStatus, string> = {
  opening: "Wait until it is open.",
  open: "",
  merging: "Wait until the merge ends.",
  merged: "Nothing is left to decide.",
  closed: "Open a new one for the branch.",
  failed: "Open a new one for the branch.",
};

interface Failed {
  readonly code: ErrorCode;
  readonly message: string;
  readonly detail: string | null;
}

/** A failure of outside work as it is kept, and as a caller is told of it: what was said there is on lines of its own. */
export const problemOf = ({ code, message, detail }: Failed): string =>
  [`${code}: ${message}`, ...(detail ? [detail] : [])].join("\n");

export function refusalIn(problem: string): Refusal {
  const [, word = "", message = problem, detail] = /^([A-Z_]+): ([^\n]*)(?:\n(.*))?$/s.exec(problem) ?? [];
  const code = errorCodes.find((known) => known === word) ?? "INTERNAL";
  return new Refusal(code, message, undefined, detail === undefined ? {} : { detail });
}

/** The message of the commit that a merge leaves on the base. */
export function mergeMessage({ number, title, description }: Pull, method: MergeMethod): string {
  if (method === "squash") return [`${title} (#${number})`, description].filter((part) => part !== "").join("\n\n");
  return `Merge pull request #${number}\n\n${title}`;
}

/** What goes to whoever opened the pull request: the summary, then each comment with its place. */
export function feedbackText(
  { number, title }: Pull,
  ask: {
    readonly by: string;
    readonly summary: string;
    readonly comments: readonly PullComment[];
    /** What was asked for before and is not done. */
    readonly stillOpen: readonly PullComment[];
  },
): string {
  const items = ask.comments.map(itemLine);
  const open = ask.stillOpen.map(itemLine);
  return [
    `${ask.by} asks for changes to pull request #${number}: ${title}`,
    ...(ask.summary === "" ? [] : [ask.summary]),
    ...(items.length === 0 ? [] : [items.join("\n")]),
    ...(open.length === 0 ? [] : [`Still open from before:\n\n${open.join("\n")}`]),
    "Commit the changes to the same branch; the pull request follows it.",
  ].join("\n\n");
}

const itemLine = (comment: PullComment): string =>
  `- ${comment.item === null ? "" : `${comment.item} `}${placeOf(comment)}${indent(comment.body)}`;

/** Names what is sent back as things to do, counted on from the rounds that its agent has had (PR28). */
export function nameComments(
  comments: readonly PullComment[],
  { rounds, known }: { readonly rounds: number; readonly known: readonly PullComment[] },
): PullComment[] {
  const before = known.map(({ item }) => Number.parseInt(item ?? "0", 10));
  const round = Math.max(rounds, ...before, 0) + 1;
  return comments.map((comment, at) => ({ ...comment, item: `${round}.${at + 1}` }));
}

/** What is left to do once these are done; a name that is not open is refused. */
export function settleComments(known: readonly PullComment[], done: readonly string[]): PullComment[] {
  const open = known.filter(({ doneAt }) => doneAt === null);
  const names = open.map(({ item }) => item ?? "");
  const unknown = done.filter((name) => !names.includes(name));
  if (unknown.length === 0) return open.filter(({ item }) => !done.includes(item ?? ""));
  throw new Refusal(
    "INVALID_INPUT",
    `No open item is called ${unknown.slice(0, 5).join(", ")}.`,
    names.length === 0 ? "Nothing is open." : `Open are: ${names.slice(0, 20).join(", ")}.`,
    { open_items: names },
  );
}

function placeOf({ path, line, side }: PullComment): string {
  if (path === null) return "";
  return `\`${path}${line === null ? "" : `:${line}`}\`${side === "old" ? " (before)" : ""}: `;
}

const indent = (text: string): string => text.replaceAll("\n", "\n  ");
