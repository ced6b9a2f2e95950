import { stat } from "node:fs/promises";
import { join } from "node:path";
import { Refusal } from "../../contract/refusal.ts";

/** Git as the house runs it: nothing a repository configures is executed. */
interface Git {
  find(place: string): Promise<GitFolders | undefined>;
  run(
    folders: GitFolders,
    command: {
      readonly args: readonly ["blame" | "log" | "ls-files" | "merge-base" | "status", ...string[]];
      readonly cwd: string;
      readonly env?: Readonly<Record<string, string>>;
      readonly timeoutMs?: number;
      /** Exit codes that are answers, not failures. */
      readonly answers?: readonly number[];
    },
  ): Promise<{ readonly code: number; readonly stdout: Buffer; readonly text: string }>;
  /** Every folder in which the repository is checked out. */
  listWorktrees(folders: GitFolders): Promise<string[]>;
}

export interface GitFolders {
  readonly gitDir: string;
  readonly commonDir: string;
}

export type OpenGit = (signal?: AbortSignal) => Git;

/** What git says a work tree holds at this moment. Names have one character for each byte. */
export interface Listing {
  readonly head: string | null;
  readonly branch: string | null;
  /** Regular files in git's index with their blobs. The same map for as long as the index is the same. */
  readonly tracked: ReadonlyMap<string, string>;
  /** Files that are not as the index has them, or that it does not have: to be looked at one by one. */
  readonly loose: ReadonlySet<string>;
  readonly deleted: ReadonlySet<string>;
}

const statusArgs = [
  "status",
  "--porcelain=v2",
  "--branch",
  "-z",
  "--no-renames",
  "--untracked-files=all",
  "--ignore-submodules=all",
] as const;

/** What CI built of an index is no part of what is searched. */
const broughtIndex = ".crewdeck-index";

/** Somebody who stages without end does not keep a search from being answered. */
const mostTries = 5;

const indexIn = ({ gitDir }: GitFolders): string => join(gitDir, "index");

/** A work tree whose index was read once is read again only when it has changed. */
export class TreeLister {
  readonly root: string;
  readonly #openGit: OpenGit;
  #folders: GitFolders | undefined;
  #index:
    | { readonly stamp: string | undefined; readonly tracked: Map<string, string>; readonly doubtful: string[] }
    | undefined;

  constructor(root: string, openGit: OpenGit) {
    this.root = root;
    this.#openGit = openGit;
  }

  async list(signal?: AbortSignal): Promise<Listing> {
    const git = this.#openGit(signal);
    const folders = await this.#find(git);
    for (let tries = 1; ; tries += 1) {
      const [index, { stdout }] = await Promise.all([
        this.#readIndex(git, folders),
        git.run(folders, { args: [...statusArgs], ...this.#here }),
      ]);
      // Status calls unchanged what is staged as it lies there: both must have seen the same index.
      const stamp = await stampOf(indexIn(folders));
      if (stamp !== index.stamp && tries < mostTries) continue;
      const listing = readStatus(stdout.toString("latin1"));
      for (const raw of index.doubtful) listing.loose.add(raw);
      return { ...listing, tracked: index.tracked };
    }
  }

  get #here() {
    return { cwd: this.root, env: { GIT_WORK_TREE: this.root } };
  }

  async #find(git: Git): Promise<GitFolders> {
    if (this.#folders !== undefined) return this.#folders;
    const found = await git.find(this.root);
    if (!found) throw new Refusal("GIT_ERROR", "Git can't use this repository.");
    this.#folders = { gitDir: found.gitDir, commonDir: found.commonDir };
    return this.#folders;
  }

  async #readIndex(git: Git, folders: GitFolders) {
    const stamp = await stampOf(indexIn(folders));
    if (this.#index && stamp !== undefined && this.#index.stamp === stamp) return this.#index;
    const { stdout } = await git.run(folders, { args: ["ls-files", "-z", "--stage", "-v"], ...this.#here });
    this.#index = { stamp, ...readIndex(stdout.toString("latin1")) };
    return this.#index;
  }
}

/** `H 100644 <oid> <stage>\t<path>`: a small letter where git was told not to look, `S` where nothing is checked out. */
function readIndex(output: string): { tracked: Map<string, string>; doubtful: string[] } {
  const tracked = new Map<string, string>();
  const doubtful: string[] = [];
  for (const line of output.split("\0")) {
    const tab = line.indexOf("\t");
    if (tab === -1) continue;
    const [tag = "", mode = "", oid = "", stage = ""] = line.slice(0, tab).split(" ");
    if (!mode.startsWith("100") || tag === "S" || tag === "s") continue;
    const raw = line.slice(tab + 1);
    if (tag === tag.toLowerCase() || stage !== "0") doubtful.push(raw);
    else tracked.set(raw, oid);
  }
  return { tracked, doubtful };
}

function readStatus(output: string) {
  const loose = new Set<string>();
  const deleted = new Set<string>();
  let head: string | null = null;
  let branch: string | null = null;
  for (const line of output.split("\0")) {
    if (line.startsWith("# branch.oid ")) head = line.slice(13) === "(initial)" ? null : line.slice(13);
    else if (line.startsWith("# branch.head "))
      branch = line.slice(14) === "(detached)" ? null : toText(line.slice(14));
    else if (line.startsWith("? ")) {
      if (!line.endsWith("/") && !line.startsWith(`? ${broughtIndex}/`)) loose.add(line.slice(2));
    } else if (line.startsWith("1 ") || line.startsWith("u ")) {
      const raw = line
        .split(" ")
        .slice(line.startsWith("1 ") ? 8 : 10)
        .join(" ");
      if (line[3] === "D") deleted.add(raw);
      else if (line[3] !== ".") loose.add(raw);
    }
  }
  return { head, branch, loose, deleted };
}

/** What the bytes of a name say. */
export const toText = (raw: string): string => Buffer.from(raw, "latin1").toString("utf8");

async function stampOf(path: string): Promise<string | undefined> {
  try {
    const { size, mtimeNs, ctimeNs, ino } = await stat(path, { bigint: true });
    return `${size} ${mtimeNs} ${ctimeNs} ${ino}`;
  } catch {
    return undefined;
  }
}
