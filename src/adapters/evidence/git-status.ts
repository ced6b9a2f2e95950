import { existsSync } from "node:fs";
import { placeIn, type RawName, readNames } from "../git/names.ts";
import type { Identity } from "./disk-reader.ts";
import type { LookedAt } from "./git-repository.ts";

/** How the working tree differs from its commit. */
interface Status {
  readonly head: string | null;
  /** Everything staged, unstaged or untracked, with what the commit has there. */
  readonly changed: ReadonlyMap<RawName, Identity>;
  /** What has to be looked at although git says nothing, or nothing sure, about what the commit has there. */
  readonly unsure: ReadonlySet<RawName>;
}

const statusArgs = ["status", "--porcelain=v2", "--branch", "-z", "--untracked-files=all", "--no-renames"] as const;

export async function readStatus(repository: LookedAt): Promise<Status> {
  const [status, overlooked] = await Promise.all([repository.run(statusArgs), listOverlooked(repository)]);
  const changed = new Map<RawName, Identity>();
  const unsure = new Set([...overlooked, ...(status.complaints === "" ? [] : await listMissing(repository))]);
  let head: string | null = null;
  for (const line of readNames(status.stdout)) {
    if (line.startsWith("# branch.oid ")) head = line.endsWith("(initial)") ? null : line.slice(13);
    else if (line.startsWith("1 ")) {
      const [, , , mode = "", , , hash = ""] = line.split(" ", 7);
      changed.set(afterSpaces(line, 8), identityOf(mode, hash));
    } else if (line.startsWith("u ")) unsure.add(afterSpaces(line, 10));
    else if (line.startsWith("? ")) {
      // A folder that is a repository of its own ends in a slash.
      const name = line.slice(2).replace(/\/$/, "");
      // What is staged as deleted and there again is told twice; the first line has what the commit has.
      if (!changed.has(name)) changed.set(name, null);
    }
  }
  for (const name of changed.keys()) unsure.delete(name);
  return { head, changed, unsure };
}

/**
 * Files that git was told to take as unchanged: it would not notice if they were not. What a sparse checkout leaves out
 * bears the same mark, and is rightly not there.
 */
async function listOverlooked({ run, root }: LookedAt): Promise<RawName[]> {
  const { stdout } = await run(["ls-files", "-v", "-z"]);
  return readNames(stdout).flatMap((line) => {
    const name = line.slice(2);
    const isMarked = /^[a-z] /.test(line) || (line.startsWith("S ") && existsSync(placeIn(root, name)));
    return isMarked ? [name] : [];
  });
}

/**
 * Files that are not to be found. Status leaves those out that it cannot look at, below a link that leads back to itself,
 * and complains.
 */
const listMissing = async ({ run }: LookedAt): Promise<RawName[]> =>
  readNames((await run(["ls-files", "--deleted", "-z"])).stdout);

function afterSpaces(line: string, count: number): string {
  let at = -1;
  for (let left = count; left > 0; left -= 1) at = line.indexOf(" ", at + 1);
  return line.slice(at + 1);
}

/** What a commit has at a path, in the words in which the disk is described. */
export function identityOf(mode: string, hash: string): Identity {
  if (/^0+$/.test(mode)) return null;
  const kind = mode === "100755" ? "x" : mode === "120000" ? "l" : mode === "160000" ? "s" : "f";
  return `${kind}:${hash}`;
}
