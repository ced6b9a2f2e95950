import { stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { Located, ProjectPorts } from "../../domain/project/port.ts";
import { readLine } from "../regular-file.ts";
import { listElsewhere } from "./elsewhere.ts";
import { realPath } from "./repository.ts";

/** Finds the repository around a folder by looking at files alone: git would read a configuration that may be anybody's. */
export const projectPorts = (isLocal: boolean): ProjectPorts => ({
  isLocal,
  withoutLinks: realPath,
  async locate(folder) {
    const start = realPath(folder);
    if (start === undefined || !(await isFolder(start))) return "missing";
    for (let at: string | undefined = start; at !== undefined; at = parentOf(at)) {
      const found = await locatedAt(at);
      if (found) return { ...found, elsewhere: isLocal ? [] : await listElsewhere(found) };
    }
    return "none";
  },
});

async function locatedAt(root: string): Promise<Omit<Located, "elsewhere"> | undefined> {
  const dotGit = join(root, ".git");
  const kind = await stat(dotGit).catch(() => undefined);
  if (kind?.isDirectory()) return { root, main: root };
  if (!kind?.isFile()) return undefined;
  const [, target] = /^gitdir: (.+)$/.exec((await readLine(dotGit)) ?? "") ?? [];
  return target === undefined ? undefined : { root, main: await mainOf(resolve(root, target), root) };
}

/** A worktree notes where its repository keeps what all of them share; a submodule is a repository of its own. */
async function mainOf(gitDir: string, root: string): Promise<string> {
  const common = await readLine(join(gitDir, "commondir"));
  const shared = common === undefined ? undefined : realPath(resolve(gitDir, common));
  if (shared === undefined) return root;
  return basename(shared) === ".git" ? dirname(shared) : shared;
}

const parentOf = (folder: string): string | undefined => (dirname(folder) === folder ? undefined : dirname(folder));

const isFolder = async (path: string): Promise<boolean> =>
  stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
