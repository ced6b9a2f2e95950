import { Refusal } from "../../contract/refusal.ts";
import type { MergeMethod } from "../../domain/pull/port.ts";
import type { GitArgs } from "./commands.ts";
import { type MergeTrees, withMerges } from "./merge-trees.ts";
import type { Repository } from "./repository.ts";

interface MergeAsk {
  readonly base: string;
  readonly head: string;
  readonly method: MergeMethod;
  readonly message: string;
  readonly by: { readonly name: string; readonly email: string };
  readonly at: number;
}

/**
 * The commit to which a base moves when a branch is merged into it. Only objects are written, no folder and no ref is
 * touched, and the same question makes the same commit again. Refuses with the files that are in conflict.
 */
export const makeMerge = (repository: Repository, ask: MergeAsk): Promise<string> =>
  withMerges(repository, (merge) => make(repository, ask, merge));

async function make(repository: Repository, ask: MergeAsk, merge: MergeTrees): Promise<string> {
  const { base, head, method, message, by, at } = ask;
  const committer = { name: by.name, email: by.email, date: dateOf(at) };
  if (method === "rebase") return replay(repository, ask, { committer, merge });
  const merged = await merge(base, head);
  if (merged.conflicts.length > 0) throw inConflict(merged.conflicts);
  const parents = method === "merge" ? [base, head] : [base];
  return commitTree(repository, { tree: merged.tree, parents, message, author: committer, committer });
}

/** Files that git cannot merge by itself; none where all is well. */
export const listConflicts = async (repository: Repository, base: string, head: string): Promise<readonly string[]> =>
  (await withMerges(repository, (merge) => merge(base, head))).conflicts;

interface Signature {
  readonly name: string;
  readonly email: string;
  readonly date: string;
}

/** Each commit of the branch again, on top of the base, by who wrote it. Merges in between are left out, as git does. */
async function replay(
  repository: Repository,
  { base, head }: MergeAsk,
  { committer, merge }: { readonly committer: Signature; readonly merge: MergeTrees },
): Promise<string> {
  const { git } = repository;
  const args: GitArgs = [
    "rev-list",
    "--reverse",
    "--topo-order",
    "--no-merges",
    "--parents",
    "--end-of-options",
    head,
    `^${base}`,
  ];
  const { text } = await git(args);
  let tip = base;
  for (const line of text === "" ? [] : text.split("\n")) {
    const [commit = "", parent] = line.split(" ");
    if (parent === undefined) throw new Refusal("INVALID_STATE", "The branch shares no history with its base.");
    // Older versions of git cannot be told the base of a merge; a commit that has it as its parent tells them.
    const beside = await commitTree(repository, {
      tree: `${tip}^{tree}`,
      parents: [parent],
      message: "",
      author: committer,
      committer,
    });
    const { tree, conflicts } = await merge(beside, commit);
    if (conflicts.length > 0) throw inConflict(conflicts);
    if (tree === (await treeOf(repository, tip))) continue;
    const { author, message } = await readCommit(repository, commit);
    tip = await commitTree(repository, { tree, parents: [tip], message, author, committer });
  }
  return tip;
}

const treeOf = async ({ git }: Repository, commit: string): Promise<string> =>
  (await git(["rev-parse", "--verify", `${commit}^{tree}`])).text;

interface NewCommit {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
  readonly author: Signature;
  readonly committer: Signature;
}

/** The message goes in by stdin: it is other people's text. */
export async function commitTree({ git }: Repository, commit: NewCommit): Promise<string> {
  const { tree, parents, message, author, committer } = commit;
  const args: GitArgs = ["commit-tree", ...parents.flatMap((parent) => ["-p", parent]), tree];
  const env = {
    GIT_AUTHOR_NAME: author.name,
    GIT_AUTHOR_EMAIL: author.email,
    GIT_AUTHOR_DATE: author.date,
    GIT_COMMITTER_NAME: committer.name,
    GIT_COMMITTER_EMAIL: committer.email,
    GIT_COMMITTER_DATE: committer.date,
  };
  return (await git(args, { input: `${message.replaceAll("\0", "")}\n`, env })).text;
}

async function readCommit({ git }: Repository, commit: string): Promise<{ author: Signature; message: string }> {
  const { stdout } = await git(["cat-file", "commit", commit]);
  const text = stdout.toString("utf8");
  const [head = ""] = text.split("\n\n", 1);
  const [, name = "", email = "", date = ""] = /^author (.*?) ?<([^>\n]*)> (\d+ [+-]\d{4})$/m.exec(head) ?? [];
  // Git refuses to commit for nobody, though old commits may be.
  return {
    author: { name: name || "unknown", email, date: date || "0 +0000" },
    message: text.slice(head.length + 2).replace(/\n$/, ""),
  };
}

export const dateOf = (at: number): string => `${Math.floor(at / 1_000)} +0000`;

const mostNamed = 10;

function inConflict(files: readonly string[]): Refusal {
  const more = files.length > mostNamed ? ` and ${files.length - mostNamed} more` : "";
  return new Refusal(
    "CONFLICT",
    `Merge conflict in ${files.slice(0, mostNamed).join(", ")}${more}.`,
    "Bring the branch up to date with its base, then try again.",
    { files: files.slice(0, 1_000) },
  );
}
