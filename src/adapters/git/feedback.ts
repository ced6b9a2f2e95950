import { constants, existsSync } from "node:fs";
import { lstat, mkdtemp, open, rename, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Hand } from "../../domain/errand.ts";
import type { DeliveredFeedback, DeliverFeedback } from "../../domain/review/port.ts";
import { copyRegular, readLine, readRegular } from "../regular-file.ts";
import { withoutLinks } from "./ground.ts";
import type { GitHost } from "./host.ts";
import { copyIndex, largestIndex } from "./index-file.ts";
import { identity } from "./merged.ts";
import { branchRef, findCommit } from "./refs.ts";
import { type Repository, realPath } from "./repository.ts";
import { findLinkedWorktree, isCheckedOut } from "./worktrees.ts";

const feedbackFile = "REVIEW_FEEDBACK.md";

/** Brings feedback into a coder's branch and work tree; nothing else in either is touched (RV9–RV11). */
export const deliverFeedback = (host: GitHost): Hand<DeliverFeedback, DeliveredFeedback> => ({
  run: (ask, turn) => host.work(ask.repositoryPath, turn.signal, (repository) => deliver(repository, ask)),
});

async function deliver(repository: Repository, ask: DeliverFeedback): Promise<DeliveredFeedback> {
  const input = Buffer.from(ask.content);
  const blob = (await repository.git(["hash-object", "-w", "--no-filters", "--stdin"], { input })).text;
  const commit = await commitWith(repository, ask, { on: ask.head, parents: [ask.head], blob });
  await noteOnReviewBranch(repository, ask, { commit, blob });
  // A coder that commits at the same moment moves its branch: the merge is then made anew.
  for (let tries = 0; tries < 5; tries += 1) {
    const outcome = await merge(repository, ask, { commit, blob });
    if (outcome !== "moved") return { commit, ...outcome };
  }
  return { commit, merge: null, problem: "the branch kept moving" };
}

interface Written {
  readonly commit: string;
  readonly blob: string;
}

/** A commit of another's tree with the feedback in it. Its time is fixed, so that a repeated run makes the same. */
async function commitWith(
  { git }: Repository,
  ask: DeliverFeedback,
  { on, parents, blob }: { on: string; parents: readonly string[]; blob: string },
): Promise<string> {
  const top = await git(["ls-tree", "-z", "--full-tree", on]);
  const others = top.stdout
    .toString("latin1")
    .split("\0")
    .filter((line) => line !== "" && line.slice(line.indexOf("\t") + 1) !== feedbackFile);
  const lines = [...others, `100644 blob ${blob}\t${feedbackFile}`];
  const tree = (await git(["mktree", "-z"], { input: Buffer.from(`${lines.join("\0")}\0`, "latin1") })).text;
  const time = `${Math.floor(ask.at / 1_000)} +0000`;
  const env = { ...identity, GIT_AUTHOR_DATE: time, GIT_COMMITTER_DATE: time };
  const named = parents.flatMap((parent) => ["-p", parent]);
  return (await git(["commit-tree", "-m", ask.message, ...named, tree], { env })).text;
}

/** On the reviewer's branch it stands on top of whatever else was committed there. */
async function noteOnReviewBranch(
  repository: Repository,
  ask: DeliverFeedback,
  { commit, blob }: Written,
): Promise<void> {
  const ref = branchRef(ask.reviewer.branch);
  const tip = await findCommit(repository, ref);
  if (tip === undefined || (await isAncestor(repository, commit, tip))) return;
  const next = tip === ask.head ? commit : await commitWith(repository, ask, { on: tip, parents: [tip, commit], blob });
  await repository.git(["update-ref", ref, next, tip], { answers: [1, 128] });
}

type Merged = Pick<DeliveredFeedback, "merge" | "problem">;

const cannot = (problem: string): Merged => ({ merge: null, problem });

async function merge(repository: Repository, ask: DeliverFeedback, written: Written): Promise<Merged | "moved"> {
  const ref = branchRef(ask.coder.branch);
  const tip = await findCommit(repository, ref);
  if (tip === undefined) return cannot("the branch is gone");
  const folder = await findFolder(repository, ask, ref);
  if (folder === undefined && (await isCheckedOut(repository, ref)))
    return cannot("the branch is checked out elsewhere");
  if (await isAncestor(repository, written.commit, tip)) {
    // An earlier run had merged it; perhaps it did not come as far as the folder.
    if (folder) await settleFolder(repository, folder, written.blob);
    return { merge: await findMerge(repository, tip, written.commit), problem: null };
  }
  const made = await commitWith(repository, ask, { on: tip, parents: [tip, written.commit], blob: written.blob });
  const move = async (): Promise<boolean> => {
    return (await repository.git(["update-ref", ref, made, tip], { answers: [1, 128] })).code === 0;
  };
  if (folder === undefined) return (await move()) ? { merge: made, problem: null } : "moved";
  const reason = await whyNot(repository, folder, tip);
  if (reason !== null) return cannot(reason);
  return withFolder(repository, folder, written.blob, async () =>
    (await move()) ? { merge: made, problem: null } : "moved",
  );
}

interface Folder {
  readonly path: string;
  readonly gitDir: string;
  /** What our lock says, so that it is known again. */
  readonly mark: string;
}

/** The coder's folder, if the branch is what is checked out there. */
async function findFolder(repository: Repository, ask: DeliverFeedback, ref: string): Promise<Folder | undefined> {
  const path = withoutLinks(ask.coder.path);
  const linked = await findLinkedWorktree(repository, path);
  const { commonDir } = repository;
  const isMain = realPath(join(path, ".git")) === commonDir;
  const gitDir = linked?.gitDir ?? (isMain ? commonDir : undefined);
  if (gitDir === undefined || !existsSync(path)) return undefined;
  const isOnBranch = (await readLine(join(gitDir, "HEAD"))) === `ref: ${ref}`;
  return isOnBranch ? { path, gitDir, mark: `crewdeck is at work: ${ask.reviewId}\n` } : undefined;
}

const underWay = ["rebase-merge", "rebase-apply", "MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "BISECT_LOG"];

/** Why the folder cannot take the file as things are; null where it can. */
async function whyNot(repository: Repository, { path, gitDir }: Folder, tip: string): Promise<string | null> {
  if (underWay.some((note) => existsSync(join(gitDir, note))))
    return "something is under way in the work tree, such as a rebase";
  const within = { gitDir, workTree: path };
  const staged = (await repository.git(["ls-files", "--stage", "-z", "--", feedbackFile], within)).text;
  const [, stagedBlob] = staged.split(" ");
  const committed = await blobAt(repository, tip);
  if ((stagedBlob ?? null) !== committed || staged.split("\0").filter(Boolean).length > 1) {
    return `${feedbackFile} has staged changes`;
  }
  const onDisk = await lstat(join(path, feedbackFile)).catch(() => undefined);
  if (onDisk === undefined) return committed === null ? null : `${feedbackFile} was removed in the work tree`;
  if (!onDisk.isFile()) return `${feedbackFile} is no plain file`;
  const content = await readRegular(join(path, feedbackFile), 64 * 1024 * 1024);
  const same =
    content &&
    committed !== null &&
    (await repository.git(["hash-object", "--no-filters", "--stdin"], { input: content })).text === committed;
  return same ? null : `${feedbackFile} was edited in the work tree`;
}

async function blobAt({ git }: Repository, commit: string): Promise<string | null> {
  const { text } = await git(["ls-tree", "--full-tree", commit, "--", feedbackFile]);
  return /^100(?:644|755) blob ([0-9a-f]+)\t/.exec(text)?.[1] ?? (text === "" ? null : "another kind");
}

/**
 * Changes branch, index and file together as git itself would: the index is locked first, so that nobody commits from an
 * index that does not have the file yet, and what others have staged in it stays.
 */
async function withFolder(
  repository: Repository,
  { path, gitDir, mark }: Folder,
  blob: string,
  move: () => Promise<Merged | "moved">,
): Promise<Merged | "moved"> {
  const scratch = await mkdtemp(join(tmpdir(), "crewdeck-feedback-"));
  const lock = join(gitDir, "index.lock");
  try {
    if (!(await takeLock(lock, mark))) return cannot("git is at work in the work tree");
    try {
      const copy = join(scratch, "index");
      await copyIndex(repository, { gitDir, workTree: path }, copy);
      const entry = `100644,${blob},${feedbackFile}`;
      await repository.git(["update-index", "--add", "--cacheinfo", entry], {
        gitDir,
        workTree: path,
        indexFile: copy,
      });
      const outcome = await move();
      if (outcome === "moved") return outcome;
      const next = join(gitDir, "index.crewdeck");
      await rm(next, { force: true });
      await copyRegular(copy, next, largestIndex);
      await rename(next, join(gitDir, "index"));
      await writeFile(repository, path, blob);
      return outcome;
    } finally {
      await rm(lock, { force: true });
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Takes the lock that git takes. One that a run of ours has left behind when it was killed is known by its mark. */
async function takeLock(lock: string, mark: string): Promise<boolean> {
  const left = await readRegular(lock, 1_000);
  if (left?.toString("utf8") === mark) await rm(lock, { force: true });
  const handle = await open(lock, "wx", 0o644).catch(() => undefined);
  await handle?.writeFile(mark);
  await handle?.close();
  return handle !== undefined;
}

/** After a run that was cut off between the branch and the folder. */
async function settleFolder(repository: Repository, folder: Folder, blob: string): Promise<void> {
  const within = { gitDir: folder.gitDir, workTree: folder.path };
  const staged = (await repository.git(["ls-files", "--stage", "-z", "--", feedbackFile], within)).text.split(" ")[1];
  if (staged !== blob) {
    const done = { merge: null, problem: null };
    await withFolder(repository, folder, blob, async () => done);
    return;
  }
  if ((await stat(join(folder.path, feedbackFile)).catch(() => undefined)) === undefined) {
    await writeFile(repository, folder.path, blob);
  }
}

/** A new file that takes the old one's place: nothing is written through a link. */
async function writeFile({ git }: Repository, folder: string, blob: string): Promise<void> {
  const target = join(folder, feedbackFile);
  const { stdout } = await git(["cat-file", "blob", blob]);
  const fresh = `${target}.crewdeck`;
  await rm(fresh, { force: true });
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const handle = await open(fresh, flags, 0o644);
  await handle.writeFile(stdout);
  await handle.close();
  await rename(fresh, target);
}

async function isAncestor({ git }: Repository, commit: string, of: string): Promise<boolean> {
  return (await git(["merge-base", "--is-ancestor", commit, of], { answers: [1, 128] })).code === 0;
}

/** The commit that brought it in. */
async function findMerge({ git }: Repository, tip: string, commit: string): Promise<string> {
  const { text } = await git(["rev-list", "--ancestry-path", "--merges", "--reverse", tip, `^${commit}`]);
  return text.split("\n")[0] || tip;
}
