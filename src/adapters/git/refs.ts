import type { GitArgs } from "./commands.ts";
import type { Repository } from "./repository.ts";

/** The commit a ref stands on; undefined where there is no such ref. */
export async function findCommit({ git }: Repository, ref: string): Promise<string | undefined> {
  const args: GitArgs = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${ref}^{commit}`];
  const { code, text } = await git(args, { answers: [1, 128] });
  return code === 0 ? text : undefined;
}

export const branchRef = (name: string): string => `refs/heads/${name}`;

/** A base may be a branch of our own or one that a remote had when we last heard of it. */
export async function findBase(
  repository: Repository,
  name: string | null,
): Promise<{ ref: string; commit: string } | undefined> {
  const refs = name === null ? ["HEAD"] : [branchRef(name), `refs/remotes/${name}`];
  for (const ref of refs) {
    const commit = await findCommit(repository, ref);
    if (commit !== undefined) return { ref, commit };
  }
  return undefined;
}

/** How many commits a branch lacks of its upstream; null where no upstream is known on this machine. */
export async function countBehind(repository: Repository, ref: string): Promise<number | null> {
  const upstream = await findUpstream(repository, ref);
  return upstream === undefined ? null : countCommits(repository, upstream, ref);
}

/** The commit that a branch's upstream had when this machine last heard of it. */
export async function findUpstream(repository: Repository, ref: string): Promise<string | undefined> {
  const { git } = repository;
  const name = ref === "HEAD" ? (await git(["symbolic-ref", "-q", "HEAD"], { answers: [1] })).text : ref;
  if (!name.startsWith("refs/heads/")) return undefined;
  const upstream = (await git(["for-each-ref", "--format=%(upstream)", name])).text.split("\n")[0] ?? "";
  return upstream === "" ? undefined : findCommit(repository, upstream);
}

/** Commits that `of` has and `without` lacks. */
export async function countCommits({ git }: Repository, of: string, without: string): Promise<number> {
  return Number((await git(["rev-list", "--count", "--end-of-options", of, `^${without}`])).text);
}
