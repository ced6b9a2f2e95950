import { existsSync, realpathSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { readLine } from "../regular-file.ts";

/**
 * Where git writes for a commit on the branch of a linked work tree: objects, the branches beside its own, their logs, and
 * what it keeps of this work tree. Neither settings nor hooks are among them. Empty where that cannot be told.
 */
export async function commitPathsOf(workTree: string): Promise<string[]> {
  try {
    const [, named = ""] = /^gitdir: (.+)$/m.exec((await readLine(join(workTree, ".git"))) ?? "") ?? [];
    const own = realpathSync(resolve(workTree, named));
    // An agent can write both notes: what does not point back, or leads elsewhere by a link, is not believed.
    const pointsBack = (await readLine(join(own, "gitdir"))) ?? "";
    if (realpathSync(dirname(pointsBack.trim())) !== realpathSync(workTree)) return [];
    const common = dirname(dirname(own));
    const [, branch = ""] = /^ref: refs\/heads\/(.+)\/[^/]+$/m.exec((await readLine(join(own, "HEAD"))) ?? "") ?? [];
    if (branch === "" || branch.split("/").includes("..")) return [];
    const places = ["objects", join("refs", "heads", branch), join("logs", "refs", "heads", branch)];
    const paths = [...places.map((place) => join(common, place)), own].filter((path) => existsSync(path));
    return paths.every((path) => realpathSync(path) === path && path.startsWith(common + sep)) ? paths : [];
  } catch {
    return [];
  }
}
