import { advance } from "./advance.ts";
import { commitTree, dateOf } from "./merge-commits.ts";
import { identity } from "./merged.ts";
import { branchRef, findCommit } from "./refs.ts";
import type { Repository } from "./repository.ts";

/** What reviewers leave on a branch, at its top. */
export const feedbackFile = "REVIEW_FEEDBACK.md";

/** Takes the reviewers' file off a branch with a commit, so that it is in no diff that people read. Answers the head. */
export async function removeFeedbackFile(
  repository: Repository,
  { branch, head, at }: { readonly branch: string; readonly head: string; readonly at: number },
): Promise<string> {
  const tree = await treeWithoutFile(repository, head);
  if (tree === undefined) return head;
  const ref = branchRef(branch);
  const signature = { name: identity.GIT_AUTHOR_NAME, email: identity.GIT_AUTHOR_EMAIL, date: dateOf(at) };
  const message = "Remove review feedback";
  const to = await commitTree(repository, { tree, parents: [head], message, author: signature, committer: signature });
  await advance(repository, { ref, from: head, to });
  return to;
}

/** Undefined where the commit has no such file. */
async function treeWithoutFile({ git }: Repository, commit: string): Promise<string | undefined> {
  const { stdout } = await git(["ls-tree", "-z", "--full-tree", commit]);
  const entries = stdout.toString("latin1").split("\0").slice(0, -1);
  const kept = entries.filter((entry) => !entry.endsWith(`\t${feedbackFile}`));
  if (kept.length === entries.length) return undefined;
  const input = Buffer.from(kept.map((entry) => `${entry}\0`).join(""), "latin1");
  return (await git(["mktree", "-z"], { input })).text;
}

/**
 * The commit a branch stands on, after a step of ours that was interrupted is finished: the branch has moved then, and
 * a folder that shows it may not have.
 */
export async function settleFeedbackFile(
  repository: Repository,
  { branch, isRepeated }: { readonly branch: string; readonly isRepeated: boolean },
): Promise<string | undefined> {
  const ref = branchRef(branch);
  const head = await findCommit(repository, ref);
  if (head === undefined || !isRepeated) return head;
  const { stdout } = await repository.git(["cat-file", "commit", head]);
  const text = stdout.toString("utf8");
  const parent = /^parent ([0-9a-f]+)$/m.exec(text)?.[1];
  if (parent === undefined || !text.endsWith("\n\nRemove review feedback\n") || !text.includes(`author ${ours}`))
    return head;
  await advance(repository, { ref, from: parent, to: head });
  return head;
}

const ours = `${identity.GIT_AUTHOR_NAME} <${identity.GIT_AUTHOR_EMAIL}>`;
