import { z } from "zod";
import { Refusal } from "../../contract/refusal.ts";
import type { FiledIssueAt, FileIssue } from "../../domain/pull/port.ts";
import type { GitHubClient } from "./client.ts";
import { read, untilAnswered } from "./pulls.ts";

const Issue = z.object({ number: z.number().int().positive(), html_url: z.string() });
const Listed = z.array(Issue.extend({ title: z.string(), pull_request: z.unknown().optional() }));

/** Pages of open issues that are looked through for the same title. */
const mostPages = 5;

/** Files an issue unless an open one has its title: a try whose answer was lost has filed it already. */
export const fileIssue = (client: GitHubClient, ask: FileIssue, signal: AbortSignal): Promise<FiledIssueAt> =>
  untilAnswered(signal, () => fileOnce(client, ask, signal));

async function fileOnce(client: GitHubClient, ask: FileIssue, signal: AbortSignal): Promise<FiledIssueAt> {
  const [owner, repo] = ask.address.split("/");
  const known = await findIssue(client, { owner, repo, title: ask.title }, signal);
  if (known) return { ...known, isCreated: false };
  const { title, body, labels } = ask;
  const parameters = { owner, repo, title, body, ...(labels.length === 0 ? {} : { labels: [...labels] }) };
  const { data } = await client.ask("POST /repos/{owner}/{repo}/issues", parameters, signal);
  const { number, html_url } = read(Issue, data);
  return { number, url: html_url, isCreated: true };
}

async function findIssue(
  client: GitHubClient,
  { owner, repo, title }: { owner: string | undefined; repo: string | undefined; title: string },
  signal: AbortSignal,
): Promise<{ readonly number: number; readonly url: string } | undefined> {
  for (let page = 1; page <= mostPages; page += 1) {
    const parameters = { owner, repo, state: "open", per_page: 100, page };
    const answer = await client
      .ask("GET /repos/{owner}/{repo}/issues", parameters, signal)
      // Whether issues can be filed at all is said when one is filed.
      .catch((error: unknown) => {
        if (error instanceof Refusal && error.code === "GITHUB_REPOSITORY_NOT_FOUND") return undefined;
        throw error;
      });
    if (!answer) return undefined;
    const found = read(Listed, answer.data).find((one) => one.title === title && one.pull_request === undefined);
    if (found) return { number: found.number, url: found.html_url };
    if (!/rel="next"/.test(answer.link)) return undefined;
  }
  return undefined;
}
