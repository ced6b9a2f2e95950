import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { lstat, mkdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import { devNull, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { readLine, readRegular } from "../regular-file.ts";
import type { GitFolders } from "./discover.ts";
import { realPath } from "./repository.ts";
import { gitError } from "./run.ts";

/**
 * A git folder of our own through which a foreign repository is seen: its objects and refs, the lists of what it ignores
 * and how its files are to be treated, and a configuration that we wrote. Its own is never read by a git that works
 * there, so there is nothing in it to be silenced, and nothing to be exchanged after we have looked.
 */
export interface View {
  readonly commonDir: string;
  readonly config: string;
  readonly exclude: Buffer;
  readonly attributes: Buffer;
}

export async function describeView({ commonDir }: GitFolders, config: string): Promise<View> {
  const info = async (name: string): Promise<Buffer> =>
    (await readRegular(join(commonDir, "info", name), largestInfo)) ?? Buffer.alloc(0);
  return { commonDir, config, exclude: await info("exclude"), attributes: await info("attributes") };
}

const largestInfo = 1024 * 1024;

/** Runs a body with the variables that make git see a repository through a view, and through it alone. */
export async function throughView<T>(
  view: View,
  gitDir: string,
  body: (variables: Readonly<Record<string, string>>) => Promise<T>,
): Promise<T> {
  await refuseOdd(view, gitDir);
  const made = await take(view);
  try {
    return await body({
      GIT_DIR: gitDir,
      GIT_COMMON_DIR: made.folder,
      GIT_CONFIG_GLOBAL: devNull,
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_ATTR_NOSYSTEM: "1",
    });
  } finally {
    made.users -= 1;
  }
}

/** Git waits for the other end of a pipe, for ever. What is put there after this look is held by the time limit. */
async function refuseOdd({ commonDir }: View, gitDir: string): Promise<void> {
  const read = [
    { path: join(gitDir, "HEAD"), most: 64 * 1024 },
    { path: join(gitDir, "commondir"), most: 64 * 1024 },
    { path: join(gitDir, "index"), most: largestList },
    { path: join(commonDir, "packed-refs"), most: largestList },
  ];
  // Refs are found by what a worktree notes, and not through the view: it must lead where everything else does.
  const shared = await readLine(join(gitDir, "commondir"));
  const leadsTo = shared === undefined ? gitDir : realPath(resolve(gitDir, shared));
  if (leadsTo !== commonDir) throw gitError("open", "the worktree belongs to another repository");
  for (const { path, most } of read) {
    const stats = await stat(path).catch(() => undefined);
    if (stats !== undefined && !(stats.isFile() && stats.size <= most))
      throw gitError("open", "the repository holds something that is no file");
  }
}

/** Ten million files, or as many refs. */
const largestList = 1024 ** 3;

interface Made {
  readonly folder: string;
  users: number;
}

/** What git finds in a shared git folder and may change there; reflogs of branches are left to those who work on them. */
const linked = ["objects", "refs", "packed-refs", "shallow", "reftable"];

const views = new Map<string, Promise<Made>>();
const mostViews = 256;
let root: string | undefined;
let count = 0;

/** The folder of a view, in use by one more. */
async function take(view: View): Promise<Made> {
  const key = keyOf(view);
  const known = views.get(key);
  const made = await known;
  const isUsable = made !== undefined && (await isWhole(made.folder));
  // Somebody else may have made it anew, or let it go, meanwhile.
  if (views.get(key) !== known) return take(view);
  if (isUsable) {
    made.users += 1;
    return made;
  }
  const making = make(view);
  views.set(key, making);
  making.catch(() => views.delete(key));
  await letGo();
  return making;
}

const keyOf = ({ commonDir, config, exclude, attributes }: View): string => {
  const hash = createHash("sha256");
  for (const part of [commonDir, config, exclude, attributes]) hash.update(`${part.length}:`).update(part);
  return hash.digest("hex");
};

async function make({ commonDir, config, exclude, attributes }: View): Promise<Made> {
  count += 1;
  const folder = join(viewRoot(), String(count));
  await mkdir(join(folder, "info"), { recursive: true });
  await writeFile(join(folder, "info", "exclude"), exclude);
  await writeFile(join(folder, "info", "attributes"), attributes);
  for (const name of linked) await symlink(join(commonDir, name), join(folder, name));
  await writeFile(join(folder, "config"), Buffer.from(config, "latin1"));
  return { folder, users: 1 };
}

/** Folders for passing things are tidied by others: what they took of a view is made anew. */
async function isWhole(folder: string): Promise<boolean> {
  const found = await Promise.all(
    [...linked, "config", "info"].map((name) => lstat(join(folder, name)).catch(() => null)),
  );
  return found.every((stats) => stats !== null);
}

async function letGo(): Promise<void> {
  for (const [key, making] of views) {
    if (views.size <= mostViews) return;
    const made = await making.catch(() => undefined);
    if (made && made.users > 0) continue;
    views.delete(key);
    if (made) await rm(made.folder, { recursive: true, force: true });
  }
}

/** The folder of this process for its views, which only its account can enter; what dead processes left goes first. */
export function viewRoot(): string {
  if (root !== undefined && existsSync(root)) return root;
  for (const name of readdirSync(tmpdir())) {
    const pid = Number(/^crewdeck-view-(\d+)-/.exec(name)?.[1] ?? Number.NaN);
    if (!Number.isNaN(pid) && !isAlive(pid)) rmSync(join(tmpdir(), name), { recursive: true, force: true });
  }
  const made = mkdtempSync(join(tmpdir(), `crewdeck-view-${process.pid}-`));
  process.once("exit", () => rmSync(made, { recursive: true, force: true }));
  root = made;
  return made;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
