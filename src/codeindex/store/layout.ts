import { createHash } from "node:crypto";
import { basename, join } from "node:path";

/** Where the index of a repository is kept, below the home and never in the repository itself. */
export interface IndexLayout {
  readonly id: string;
  readonly folder: string;
  /** Names everything else that counts; what it does not name is left over from something that was cut short. */
  readonly manifest: string;
}

/** `main` is the top folder of the repository, which all its worktrees share. */
export function layoutOf(homeDir: string, main: string): IndexLayout {
  const hash = createHash("sha256").update(main).digest("hex").slice(0, 16);
  const name = basename(main)
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^[.-]+/, "")
    .slice(0, 40);
  const id = name === "" ? hash : `${name}-${hash}`;
  const folder = join(repositoriesIn(homeDir), id);
  return { id, folder, manifest: join(folder, "manifest.json") };
}

/** The folder that holds one folder for each indexed repository. */
export const repositoriesIn = (homeDir: string): string => join(homeDir, "index", "repositories");
