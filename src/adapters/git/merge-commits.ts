import { Refusal } from "../../contract/refusal.ts";
import type { MergeMethod } from "../../domain/pull/port.ts";
import { textOfName } from "../evidence/file-names.ts";
import type { GitArgs } from "./commands.ts";
import { readNames } from "./names.ts";
import type { Repository } from "./repository.ts";
import { gitError } from "./run.ts";

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
export async function makeMerge(repository: Repository, ask: MergeAsk): Promise<string> {
  const { base, head, method, message, by, at } = ask;
  const committer = { name: by.name, email: by.email, date: dateOf(at) };
  if (method === "rebase") return replay(repository, ask, committer);
  const merged = await mergeTrees(repository, base, head);
  if (merged.conflicts.length > 0) throw inConflict(merged.conflicts);
  const parents = method === "merge" ? [base, head] : [base];
  return commitTree(repository, { tree: merged.tree, parents, message, author: committer, committer });
}

/** Files that git cannot merge by itself; none where all is well. */
export const listConflicts = async (repository: Repository, base: string, head: string): Promise<string[]> =>
  (await mergeTrees(repository, base, head)).conflicts;

interface Signature {
  readonly name: string;
  readonly email: string;
  readonly date: string;
}

/** Each commit of the branch again, on top of the base, by who wrote it. Merges in between are left out, as git does. */
async function replay(repository: Repository, { base, head }: MergeAsk, committer: Signature): Promise<string> {
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
    const { tree, conflicts } = await mergeTrees(repository, beside, commit);
    if (conflicts.length > 0) throw inConflict(conflicts);
    if (tree === (await treeOf(repository, tip))) continue;
    const { author, message } = await readCommit(repository, commit);
    tip = await commitTree(repository, { tree, parents: [tip], message, author, committer });
  }
  return tip;
}

const treeOf = async ({ git }: Repository, commit: string): Promise<string> =>
  (await git(["rev-parse", "--verify", `${commit}^{tree}`])).text;

async function mergeTrees(
  { git }: Repository,
  one: string,
  other: string,
): Promise<{ readonly tree: string; readonly conflicts: string[] }> {
  const args: GitArgs = ["merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", one, other];
  const { code, stdout } = await git(args, { answers: [1, 128, 129] });
  if (code > 1) {
    throw new Refusal(
      "GIT_ERROR",
      "Git could not merge the two.",
      "Git 2.38 or newer and a shared history are needed.",
    );
  }
  const [tree, ...names] = readNames(stdout);
  if (tree === undefined) throw gitError("merge-tree", "it named no tree");
  return { tree, conflicts: code === 0 ? [] : [...new Set(names.filter((name) => name !== ""))].map(textOfName) };
}

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
