import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Refusal } from "../../contract/refusal.ts";
import { Memory } from "../memory.ts";
import { placeIn, type RawName, rawName, readNames } from "./names.ts";
import type { Repository } from "./repository.ts";
import { gitError } from "./run.ts";
import { readContents } from "./trees.ts";

/** Each `.gitattributes` of a commit, by name, with the content that git knows it by. */
type Listing = ReadonlyMap<RawName, string>;

const fileName = ".gitattributes";

/** Files of one commit that are heeded, and the largest of them. */
const mostFiles = 500;
const mostBytes = 1024 * 1024;

/**
 * What commits say about how their files are merged, such as `CHANGELOG.md merge=union`. A merge heeds it only in a
 * working tree, so each set of such files is written into a folder of ours that holds nothing else. No driver or filter
 * is known there: a name that git does not have itself is merged as text.
 */
export class Attributes {
  readonly #folder: string;
  /** Folders by commit; empty where it says nothing. */
  readonly #known = new Memory<string>(5_000);
  /** One commit of each repository whose files are listed; of the others is asked what differs from it. */
  readonly #listed = new Memory<{ readonly commit: string; readonly files: Listing }>(200);
  #emptied: Promise<unknown> | undefined;

  constructor(folder: string) {
    this.#folder = join(folder, "attributes");
  }

  /** A folder for each commit that merges are tried on; undefined where it says nothing, or cannot be read for now. */
  async foldersOf(repository: Repository, commits: readonly string[]): Promise<(string | undefined)[]> {
    const isGone = (folder: string | undefined): boolean =>
      folder === undefined || (folder !== "" && !existsSync(folder));
    const missing = [...new Set(commits)].filter((commit) => isGone(this.#known.get(commit)));
    if (missing.length > 0) {
      // What cannot be read is said by the merge itself.
      const found = await this.#list(repository, missing).catch(() => new Map<string, Listing>());
      for (const [commit, files] of found) {
        const folder = await this.#write(repository, files).catch(() => undefined);
        if (folder !== undefined) this.#known.set(commit, folder);
      }
    }
    return commits.map((commit) => this.#known.get(commit) || undefined);
  }

  /** The folder for one commit whose merge is to stay: refuses where anything that it says can't be heeded. */
  async folderOf(repository: Repository, commit: string): Promise<string | undefined> {
    const files = (await this.#list(repository, [commit])).get(commit);
    if (files === undefined) throw gitError("diff-tree", "it can't read what differs from another commit");
    return (await this.#write(repository, files, { mustBeAll: true })) || undefined;
  }

  async #list(repository: Repository, commits: readonly string[]): Promise<Map<string, Listing>> {
    const [first = ""] = commits;
    const key = repository.commonDir;
    const listed = this.#listed.get(key) ?? { commit: first, files: await listAll(repository, first) };
    const compared = await listDifferences(repository, commits, listed.commit);
    // Its own objects may be gone by now: the next time begins with another.
    this.#listed.set(key, compared.size > 0 ? listed : { commit: first, files: await listAll(repository, first) });
    return new Map(
      [...compared].map(([commit, changed]) => {
        const files = new Map(listed.files);
        for (const [name, oid] of changed) {
          if (oid === undefined) files.delete(name);
          else files.set(name, oid);
        }
        return [commit, files];
      }),
    );
  }

  async #write(repository: Repository, files: Listing, { mustBeAll = false } = {}): Promise<string> {
    const kept = [...files].filter(([name]) => isSafe(name)).sort(([one], [other]) => (one < other ? -1 : 1));
    if (mustBeAll && kept.length > mostFiles) throw tooMuch();
    const used = kept.slice(0, mostFiles);
    if (used.length === 0) return "";
    const folder = join(this.#folder, createHash("sha256").update(JSON.stringify(used)).digest("hex").slice(0, 32));
    if (existsSync(folder)) return folder;
    this.#emptied ??= rm(this.#folder, { recursive: true, force: true });
    await this.#emptied;
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const scratch = await mkdtemp(join(this.#folder, "new-"));
    try {
      for await (const [name, content] of readAll(repository, used, { mustBeAll })) {
        await mkdir(placeIn(scratch, dirname(name)), { recursive: true });
        await writeFile(placeIn(scratch, name), content);
      }
      // Whoever was first has written the same.
      await rename(scratch, folder).catch((error: unknown) => {
        if (!existsSync(folder)) throw error;
      });
      return folder;
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  }
}

/** Names in a tree are whatever somebody put there: none leads out of the folder. */
const isSafe = (name: RawName): boolean =>
  basename(name) === fileName && name.split("/").every((part) => !["", ".", ".."].includes(part));

const isPlain = (mode: string): boolean => mode === "100644" || mode === "100755";

async function listAll({ git }: Repository, commit: string): Promise<Listing> {
  const { stdout } = await git(["ls-tree", "-r", "-z", "--full-tree", commit]);
  const files = new Map<RawName, string>();
  for (const line of readNames(stdout)) {
    const tab = line.indexOf("\t");
    const name = line.slice(tab + 1);
    const [mode = "", , oid = ""] = line.slice(0, tab).split(" ");
    if (basename(name) === fileName && isPlain(mode)) files.set(name, oid);
  }
  return files;
}

/** What differs in such files between each commit and one other, undefined for what is gone; many in one process. */
async function listDifferences(
  { git }: Repository,
  commits: readonly string[],
  from: string,
): Promise<Map<string, Map<RawName, string | undefined>>> {
  const flags = ["--stdin", "--always", "-r", "-z", "--raw", "--no-renames", "--no-abbrev"];
  const input = commits.map((commit) => `${commit} ${from}\n`).join("");
  const { code, stdout } = await git(["diff-tree", ...flags], { input, answers: [128] });
  const found = new Map<string, Map<RawName, string | undefined>>();
  const words = readNames(stdout);
  let last = "";
  for (let at = 0; at < words.length; at += 1) {
    const word = (words[at] ?? "").trim();
    if (!word.startsWith(":")) {
      last = word;
      found.set(word, new Map());
      continue;
    }
    const [, mode = "", , oid = ""] = word.split(" ");
    at += 1;
    const name = words[at] ?? "";
    if (basename(name) === fileName) found.get(last)?.set(name, isPlain(mode) ? oid : undefined);
  }
  // Git ends at the first object that it lacks: what it said last may not be all.
  if (code !== 0) found.delete(last);
  return found;
}

async function* readAll(
  repository: Repository,
  files: readonly (readonly [RawName, string])[],
  { mustBeAll }: { readonly mustBeAll: boolean },
): AsyncGenerator<readonly [RawName, Buffer]> {
  const input = files.map(([, oid]) => `${oid}\n`).join("");
  const { stdout } = await repository.git(["cat-file", "--batch-check=%(objectsize)"], { input });
  const sizes = rawName(stdout).split("\n").map(Number);
  if (sizes.slice(0, files.length).some(Number.isNaN)) throw new Error("git lacks a file of attributes");
  if (mustBeAll && sizes.some((bytes) => bytes > mostBytes)) throw tooMuch();
  const small = files.flatMap(([name, oid], at) => {
    const bytes = sizes[at] ?? 0;
    return bytes > mostBytes ? [] : [{ mode: "100644" as const, name, oid, bytes }];
  });
  for await (const { file, content } of readContents(repository, small)) yield [file.name, content];
}

const tooMuch = (): Refusal =>
  new Refusal(
    "GIT_ERROR",
    `The branch has more than ${mostFiles} .gitattributes files, or one over ${mostBytes / 1024 / 1024} MiB.`,
    "Merge it with git.",
  );
