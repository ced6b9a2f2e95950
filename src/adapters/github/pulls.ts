import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { Refusal } from "../../contract/refusal.ts";
import type { CodeHost, HostState, StateAsk } from "../../domain/pull/port.ts";
import type { GitHubClient } from "./client.ts";

const Found = z.object({ number: z.number().int().positive(), html_url: z.string() });

const Listed = z.array(Found.extend({ head: z.object({ ref: z.string() }) }));

const State = z.object({
  state: z.enum(["open", "closed"]),
  merged: z.boolean().optional(),
  merged_at: z.string().nullable().optional(),
  merge_commit_sha: z.string().nullable().optional(),
});

interface Wanted {
  readonly host: CodeHost;
  readonly branch: string;
  readonly base: string;
  readonly title: string;
  readonly description: string;
}

interface PullAt {
  readonly number: number;
  readonly url: string;
}

/** The open pull request of a branch. */
async function findOpenPull(
  client: GitHubClient,
  { host: { owner, name }, branch }: Pick<Wanted, "host" | "branch">,
  signal: AbortSignal,
): Promise<PullAt | undefined> {
  const parameters = { owner, repo: name, head: `${owner}:${branch}`, state: "open", per_page: 100 };
  const { data } = await client.ask("GET /repos/{owner}/{repo}/pulls", parameters, signal);
  const found = read(Listed, data).find(({ head }) => head.ref === branch);
  return found && { number: found.number, url: found.html_url };
}

/** The pull request of a branch: the open one, else a new one. Nobody knows what a lost answer did, so it is looked up. */
export async function obtainPull(client: GitHubClient, wanted: Wanted, signal: AbortSignal): Promise<PullAt> {
  return untilAnswered(signal, async () => {
    const known = await findOpenPull(client, wanted, signal);
    if (known) return known;
    return createPull(client, wanted, signal).catch(async (error: unknown) => {
      const isRefused = error instanceof Refusal && error.code === "GITHUB_API_ERROR";
      const other = isRefused ? await findOpenPull(client, wanted, signal) : undefined;
      if (!other) throw error;
      return other;
    });
  });
}

const mostTries = 3;

/** Does again what looks first whether it was done, as long as no answer comes. */
export async function untilAnswered<T>(signal: AbortSignal, act: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await act();
    } catch (error) {
      const isLost = error instanceof Refusal && error.code === "GITHUB_NETWORK_ERROR";
      if (!isLost || attempt >= mostTries) throw error;
      await pause(250 * attempt, undefined, { signal });
    }
  }
}

async function createPull(client: GitHubClient, wanted: Wanted, signal: AbortSignal): Promise<PullAt> {
  const { host, branch, base, title, description } = wanted;
  const parameters = { owner: host.owner, repo: host.name, title, body: description, head: branch, base };
  const { data } = await client.ask("POST /repos/{owner}/{repo}/pulls", parameters, signal);
  const { number, html_url } = read(Found, data);
  return { number, url: html_url };
}

/** How a pull request stands; undefined where that is as the last time. */
export async function readPullState(
  client: GitHubClient,
  { address, number, etag }: StateAsk,
  signal: AbortSignal,
): Promise<HostState | undefined> {
  const [owner, repo] = address.split("/");
  const headers = etag === null ? {} : { "if-none-match": etag };
  const parameters = { owner, repo, pull_number: number, headers };
  const answer = await client.ask("GET /repos/{owner}/{repo}/pulls/{pull_number}", parameters, signal);
  if (answer.status === 304) return undefined;
  const { state, merged, merged_at, merge_commit_sha } = read(State, answer.data);
  const isMerged = merged ?? (merged_at !== null && merged_at !== undefined);
  return {
    status: isMerged ? "merged" : state,
    mergeCommit: isMerged ? (merge_commit_sha ?? null) : null,
    etag: answer.etag,
  };
}

/** An answer of another shape than GitHub's is no answer. */
export function read<Shape extends z.ZodType>(shape: Shape, data: unknown): z.output<Shape> {
  const parsed = shape.safeParse(data);
  if (parsed.success) return parsed.data;
  throw new Refusal("GITHUB_NETWORK_ERROR", "GitHub's answer could not be understood.");
}
