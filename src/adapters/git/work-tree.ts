import { existsSync } from "node:fs";
import { basename, dirname, isAbsolute, join } from "node:path";
import type { WorkTree } from "../../domain/instance/port.ts";
import { findRepository, type LookedAt } from "../evidence/git-repository.ts";
import { readNames } from "./names.ts";

const mostNames = 100;

/** The work tree that a folder lies in; undefined where git knows of none. */
export async function readWorkTree(folder: string, signal: AbortSignal): Promise<WorkTree | undefined> {
  if (!isAbsolute(folder) || folder.includes("\0")) return undefined;
  const found = await findRepository(folder, signal);
  if (!found) return undefined;
  const uncommitted = await listUncommitted(found);
  const branch = await readBranch(found);
  return {
    path: found.root,
    repositoryPath: mainFolderOf(found),
    branch,
    head: await readCommit(found, "HEAD"),
    baseBranch: await findBase(found, branch),
    uncommitted: uncommitted.slice(0, mostNames),
    uncommittedCount: uncommitted.length,
    underWay: underWay.find(({ note }) => existsSync(join(found.gitDir, note)))?.what ?? null,
  };
}

const underWay = [
  { note: "rebase-merge", what: "rebase" },
  { note: "rebase-apply", what: "rebase" },
  { note: "MERGE_HEAD", what: "merge" },
  { note: "CHERRY_PICK_HEAD", what: "cherry-pick" },
  { note: "REVERT_HEAD", what: "revert" },
  { note: "BISECT_LOG", what: "bisect" },
] as const;

const mainFolderOf = ({ commonDir }: LookedAt): string =>
  basename(commonDir) === ".git" ? dirname(commonDir) : commonDir;

async function readBranch({ run }: LookedAt): Promise<string | null> {
  const { code, text } = await run(["symbolic-ref", "-q", "--short", "HEAD"], [1, 128]);
  return code === 0 && text !== "" ? text : null;
}

async function readCommit({ run }: LookedAt, ref: string): Promise<string | null> {
  const { code, text } = await run(
    ["rev-parse", "--verify", "--quiet", "--end-of-options", `${ref}^{commit}`],
    [1, 128],
  );
  return code === 0 ? text : null;
}

async function findBase(found: LookedAt, branch: string | null): Promise<string | null> {
  const remote = await found.run(["symbolic-ref", "-q", "--short", "refs/remotes/origin/HEAD"], [1, 128]);
  const named = remote.code === 0 ? remote.text.replace(/^origin\//, "") : "";
  for (const name of [named, "main", "master"].filter((one) => one !== "" && one !== branch)) {
    const refs = [`refs/heads/${name}`, `refs/remotes/origin/${name}`];
    for (const ref of refs) if ((await readCommit(found, ref)) !== null) return name;
  }
  return null;
}

/** Untracked files too, unless they are ignored: what a reviewer would not see. Of a submodule only its commit counts. */
async function listUncommitted({ run }: LookedAt): Promise<string[]> {
  const flags = ["--porcelain=v1", "-z", "--no-renames", "--untracked-files=normal"];
  const { stdout } = await run(["status", ...flags]);
  return readNames(stdout).map((line) => Buffer.from(line.slice(3), "latin1").toString("utf8"));
}
