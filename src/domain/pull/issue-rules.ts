import { Refusal } from "../../contract/refusal.ts";
import type { FiledIssue } from "./issue-model.ts";

/** An issue as it is asked for. */
export interface IssueAsk {
  readonly title: string;
  readonly body: string;
  readonly labels: readonly string[];
  readonly criteria: readonly string[];
  readonly dependsOn: readonly (string | number)[];
}

/** One spelling for one title. */
export const foldTitle = (title: string): string => title.trim().replace(/\s+/g, " ");

/** Refuses dependencies that lead nowhere, or round in a circle; then nothing is filed. */
export function checkDependencies(asks: readonly IssueAsk[]): void {
  const byTitle = new Map(asks.map((ask) => [foldTitle(ask.title), ask]));
  const titlesOf = (ask: IssueAsk): string[] =>
    ask.dependsOn.filter((one) => typeof one === "string").map((one) => foldTitle(one));
  const unknown = asks.flatMap(titlesOf).find((title) => !byTitle.has(title));
  if (unknown !== undefined) {
    throw new Refusal(
      "UNKNOWN_DEPENDENCY",
      "An issue depends on a title that is not in this call.",
      "Use titles of the same call, or numbers of issues that exist.",
      { title: unknown },
    );
  }
  const done = new Set<string>();
  const visit = (title: string, way: readonly string[]): void => {
    if (done.has(title)) return;
    if (way.includes(title)) {
      const circle = [...way.slice(way.indexOf(title)), title];
      const code = circle.length === 2 ? "SELF_DEPENDENCY" : "INVALID_INPUT";
      throw new Refusal(code, "Issues depend on each other in a circle.", "Remove one of the dependencies.", {
        circle,
      });
    }
    const ask = byTitle.get(title);
    for (const next of ask ? titlesOf(ask) : []) visit(next, [...way, title]);
    done.add(title);
  };
  for (const title of byTitle.keys()) visit(title, []);
}

/** The first that waits for nothing that is not filed; none after a failure. */
export function chooseNext(issues: readonly FiledIssue[]): FiledIssue | undefined {
  if (issues.some(({ status }) => status === "failed")) return undefined;
  const filed = new Set(issues.filter(({ status }) => status === "filed").map(({ title }) => title));
  const isReady = ({ dependsOn }: FiledIssue): boolean =>
    dependsOn.every((one) => typeof one === "number" || filed.has(one));
  return issues.find((issue) => issue.status === "waiting" && isReady(issue));
}

/** The text that is filed, with the numbers of what it depends on. */
export function bodyOf({ body, dependsOn }: FiledIssue, issues: readonly FiledIssue[]): string {
  const numbers = dependsOn.flatMap((one) =>
    typeof one === "number" ? [one] : issues.filter(({ title }) => title === one).flatMap(({ number }) => number ?? []),
  );
  if (numbers.length === 0) return body;
  const line = `Depends on ${[...new Set(numbers)].map((number) => `#${number}`).join(", ")}`;
  return body === "" ? line : `${body}\n\n${line}`;
}

/** What was asked for with its criteria as a list that can be ticked off. */
export function textOf({ body, criteria }: IssueAsk): string {
  if (criteria.length === 0) return body;
  const list = criteria.map((one) => `- [ ] ${one.replace(/\s*\n\s*/g, " ")}`).join("\n");
  return [body, `## Acceptance criteria\n\n${list}`].filter((part) => part !== "").join("\n\n");
}
