import type { Mode } from "./disk.ts";
import { type RawName, readNames } from "./names.ts";
import type { Repository } from "./repository.ts";

export interface StoredFile {
  readonly mode: Mode;
  readonly oid: string;
  readonly bytes: number;
  readonly name: RawName;
}

/** Every file of a tree, in folders too. */
export async function listTree({ git }: Repository, tree: string): Promise<StoredFile[]> {
  const { stdout } = await git(["ls-tree", "-r", "-z", "-l", "--full-tree", tree]);
  return readNames(stdout).map((line) => {
    const tab = line.indexOf("\t");
    const [mode, , oid, bytes] = line.slice(0, tab).split(/ +/);
    return { mode: mode as Mode, oid: oid ?? "", bytes: Number(bytes) || 0, name: line.slice(tab + 1) };
  });
}

/** Whatever is larger is not read into memory. */
export const largestInMemory = 32 * 1024 * 1024;

/** Files in groups that fit into memory, and the content of each. Larger files are left out. */
export async function* readContents(
  repository: Repository,
  files: readonly StoredFile[],
): AsyncGenerator<{ file: StoredFile; content: Buffer }> {
  for (const group of groupsOf(files)) {
    const input = `${group.map(({ oid }) => oid).join("\n")}\n`;
    const { stdout } = await repository.git(["cat-file", "--batch"], { input });
    let at = 0;
    for (const file of group) {
      const begin = stdout.indexOf("\n", at) + 1;
      const [oid, type, size] = stdout.toString("latin1", at, begin - 1).split(" ");
      if (oid !== file.oid || type !== "blob") throw new Error("git answered for another object than was asked for");
      at = begin + Number(size) + 1;
      yield { file, content: stdout.subarray(begin, at - 1) };
    }
  }
}

function groupsOf(files: readonly StoredFile[]): StoredFile[][] {
  const groups: StoredFile[][] = [];
  let room = 0;
  for (const file of files) {
    if (file.bytes > largestInMemory) continue;
    if (file.bytes > room || groups.length === 0) {
      groups.push([]);
      room = largestInMemory;
    }
    groups.at(-1)?.push(file);
    room -= file.bytes;
  }
  return groups;
}
