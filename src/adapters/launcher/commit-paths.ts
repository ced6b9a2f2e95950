import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";

/**
 * Where git writes for a commit on the branch of a linked work tree: objects, the branches beside its own, their logs, and
 * what it keeps of this work tree. Neither settings nor hooks are among them. Empty where that cannot be told.
 */
export function commitPathsOf(workTree: string): string[] {
  try {
    const [, named = ""] = /^gitdir: (.+)$/m.exec(readFileSync(join(workTree, ".git"), "utf8")) ?? [];
    const own = realpathSync(resolve(workTree, named));
    // An agent can write both notes: what does not point back, or leads elsewhere by a link, is not believed.
    if (realpathSync(dirname(readFileSync(join(own, "gitdir"), "utf8").trim())) !== realpathSync(workTree)) return [];
    const common = dirname(dirname(own));
    const [, branch = ""] = /^ref: refs\/heads\/(.+)\/[^/]+$/m.exec(readFileSync(join(own, "HEAD"), "utf8")) ?? [];
    if (branch === "" || branch.split("/").includes("..")) return [];
    const places = ["objects", join("refs", "heads", branch), join("logs", "refs", "heads", branch)];
    const paths = [...places.map((place) => join(common, place)), own].filter((path) => existsSync(path));
    return paths.every((path) => realpathSync(path) === path && path.startsWith(common + sep)) ? paths : [];
  } catch {
    return [];
  }
}
