import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { readRegular } from "../regular-file.ts";
import { storePaths, storeTree } from "./objects.ts";
import type { Repository } from "./repository.ts";

/** What git notes for one worktree alone, other than what the copy keeps in another form or what git makes anew. */
const keptOtherwise = new Set([
  "HEAD",
  "index",
  "gitdir",
  "commondir",
  "locked",
  "modules",
  "index.lock",
  "FETCH_HEAD",
]);
const largestNote = 4 * 1024 * 1024;
const mostNotes = 20_000;

/** A merge or rebase under way, the log of HEAD: files of a worktree's own git folder, by name. */
function listNotes(gitDir: string): string[] {
  const names: string[] = [];
  const walk = (folder: string): void => {
    for (const entry of readdirSync(join(gitDir, folder), { withFileTypes: true })) {
      const name = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (keptOtherwise.has(name) || name.startsWith("sharedindex.") || names.length >= mostNotes) continue;
      if (entry.isDirectory()) walk(name);
      else if (entry.isFile() && lstatSync(join(gitDir, name)).size <= largestNote) names.push(name);
    }
  };
  walk("");
  return names.sort();
}

export async function storeNotes(
  repository: Repository,
  gitDir: string,
  ask: { scratch: string; indexFile: string },
): Promise<string> {
  const names = listNotes(gitDir);
  const oids = await storePaths(
    repository,
    ask.scratch,
    names.map((name) => join(gitDir, name)),
  );
  const entries = names.map((name, at) => ({
    mode: "100644" as const,
    oid: oids[at] ?? "",
    name: Buffer.from(name).toString("latin1"),
  }));
  return storeTree(repository, entries, ask);
}

const mostMentioned = 1_000;

/**
 * Commits that only these notes mention, such as what was amended or rebased away on a detached HEAD. Once the notes
 * are gone git would clean them up, so the copy holds on to them.
 */
export async function listMentionedCommits(repository: Repository, gitDir: string): Promise<string[]> {
  const words = new Set<string>();
  for (const name of listNotes(gitDir)) {
    const text = (await readRegular(join(gitDir, name), largestNote))?.toString("latin1") ?? "";
    for (const word of text.match(/\b(?:[0-9a-f]{64}|[0-9a-f]{40})\b/g) ?? []) words.add(word);
  }
  const candidates = [...words].filter((word) => !/^0+$/.test(word)).slice(-mostMentioned);
  if (candidates.length === 0) return [];
  const input = `${candidates.join("\n")}\n`;
  const { text } = await repository.git(["cat-file", "--batch-check"], { input });
  return text.split("\n").flatMap((line) => (line.split(" ")[1] === "commit" ? [line.split(" ")[0] ?? ""] : []));
}
