import type { FileHistory } from "./history.ts";
import { type GitFolders, type OpenGit, toText } from "./listing.ts";
import { logArgs, readLog, type Touch } from "./read-log.ts";

interface Known {
  /** The last one first. */
  readonly authors: string[];
  modifiedAt: number;
  churn: number;
}

/** A log of a hundred thousand commits, and lines counted in all of them. */
const logMs = 300_000;

interface Blamed {
  /** The blob whose lines these are. */
  readonly key: string;
  readonly lines: Promise<readonly string[]>;
}

/** Files whose lines are kept with their authors. */
const mostBlamed = 2_000;

/**
 * What git's log says of every path of a work tree: one pass when it is asked for first, and after that only the commits that
 * came on top. Who wrote which line is looked up for single files, and kept until a commit touches them.
 */
export class GitHistory {
  readonly #root: string;
  readonly #openGit: OpenGit;
  readonly #files = new Map<string, Known>();
  readonly #blamed = new Map<string, Blamed>();
  #head: string | undefined;
  #hasChurn = false;
  #reading: Promise<unknown> = Promise.resolve();

  constructor(root: string, openGit: OpenGit) {
    this.#root = root;
    this.#openGit = openGit;
  }

  /** Everything known of a path at this moment; call `read` first. */
  of(path: string): FileHistory | undefined {
    const known = this.#files.get(path);
    return known && { ...known, churn: this.#hasChurn ? known.churn : undefined };
  }

  /** Reads what is new up to a commit. Several at once wait for each other. */
  async read(head: string | null, { withChurn }: { readonly withChurn: boolean }): Promise<void> {
    const next = this.#reading.then(() => this.#read(head, withChurn));
    this.#reading = next.catch(() => undefined);
    await next;
  }

  /** The author of each line of a committed file; none where git cannot say. */
  async readLines(head: string, path: string, key: string): Promise<readonly string[]> {
    const known = this.#blamed.get(path);
    if (known?.key === key) return known.lines;
    const lines = this.#blame(head, path).catch(() => []);
    this.#blamed.set(path, { key, lines });
    if (this.#blamed.size > mostBlamed) this.#blamed.delete(this.#blamed.keys().next().value ?? "");
    return lines;
  }

  async #read(head: string | null, withChurn: boolean): Promise<void> {
    if (head === null || (head === this.#head && (this.#hasChurn || !withChurn))) return;
    const git = this.#openGit();
    const folders = await git.find(this.#root);
    if (!folders) return;
    const counts = withChurn || this.#hasChurn;
    const isOnTop = this.#head !== undefined && counts === this.#hasChurn && (await this.#contains(head, folders));
    const range = isOnTop ? `${this.#head}..${head}` : head;
    const { stdout } = await git.run(folders, { args: logArgs(range, counts), cwd: this.#root, timeoutMs: logMs });
    const fresh = new Map<string, Known>();
    for (const touch of readLog(stdout.toString("latin1"))) take(fresh, touch);
    if (!isOnTop) this.#forget();
    for (const [path, file] of fresh) {
      this.#files.set(path, join(file, this.#files.get(path)));
      // The same content may have been written anew, by somebody else.
      this.#blamed.delete(path);
    }
    this.#head = head;
    this.#hasChurn = counts;
  }

  /** In another history others may have written the very same. */
  #forget(): void {
    this.#files.clear();
    this.#blamed.clear();
  }

  /** Whether what was read before is a part of this commit's history. */
  async #contains(head: string, folders: GitFolders): Promise<boolean> {
    const args = ["merge-base", "--is-ancestor", this.#head ?? "", head] as const;
    const { code } = await this.#openGit().run(folders, { args, cwd: this.#root, answers: [1, 128] });
    return code === 0;
  }

  async #blame(head: string, path: string): Promise<readonly string[]> {
    const git = this.#openGit();
    const folders = await git.find(this.#root);
    if (!folders) return [];
    const args = ["blame", "--porcelain", "--no-progress", head, "--", path] as const;
    const { text } = await git.run(folders, { args, cwd: this.#root });
    return readBlame(text);
  }
}

/** The newest commit comes first, and with it the last author. */
function take(files: Map<string, Known>, { raw, author, at, lines }: Touch): void {
  const path = toText(raw);
  const known = files.get(path);
  if (!known) {
    files.set(path, { authors: [author], modifiedAt: at, churn: lines ?? 0 });
    return;
  }
  if (!known.authors.includes(author)) known.authors.push(author);
  known.modifiedAt = Math.max(known.modifiedAt, at);
  known.churn += lines ?? 0;
}

function join(newer: Known, older: Known | undefined): Known {
  if (!older) return newer;
  return {
    authors: [...new Set([...newer.authors, ...older.authors])],
    modifiedAt: Math.max(newer.modifiedAt, older.modifiedAt),
    churn: newer.churn + older.churn,
  };
}

/** `<commit> <old line> <line> [<lines>]`, headers on a commit's first line, then a tab and the line itself. */
function readBlame(text: string): readonly string[] {
  const names = new Map<string, string>();
  const authors: string[] = [];
  let commit = "";
  let line = 0;
  for (const row of text.split("\n")) {
    if (row.startsWith("\t")) authors[line - 1] = names.get(commit) ?? "";
    else if (row.startsWith("author ")) names.set(commit, row.slice("author ".length));
    else {
      const [, id, at] = /^([0-9a-f]{40,64}) \d+ (\d+)/.exec(row) ?? [];
      if (id !== undefined) {
        commit = id;
        line = Number(at);
      }
    }
  }
  return Array.from(authors, (author) => author ?? "");
}
