import { Refusal } from "../../contract/refusal.ts";
import type { FileDiff } from "../evidence/diff-model.ts";
import { compareFiles } from "../evidence/diff-operations.ts";
import type { Look } from "../port.ts";
import type { Pull } from "./model.ts";
import { getKnownPull } from "./operations.ts";
import type { Comparison } from "./port.ts";

interface DiffAsk {
  /** Only this file, with more of its lines. */
  readonly path?: string | undefined;
  readonly after?: string | undefined;
  readonly mostFiles: number;
}

export interface PullDiff {
  readonly pull: Pull;
  readonly head: string;
  readonly files: readonly FileDiff[];
  readonly filesCount: number;
  readonly filesLeft: number;
}

/** What a pull request changes, line by line: from where its branch left the base to where it stands. */
export async function diffPull(look: Look, number: number, ask: DiffAsk): Promise<PullDiff> {
  const pull = await look.read((db) => getKnownPull({ db, caller: look.caller }, number));
  if (pull.place !== look.place) throw new Refusal("INVALID_STATE", "The repository lies with another server.");
  const { fork, head, files: all } = await look.ports.pull.compare(pull, look.signal);
  const sorted = all.toSorted((one, other) => (one.path < other.path ? -1 : 1));
  const rest = sorted.filter(({ path }) => ask.after === undefined || path > ask.after);
  const page = ask.path === undefined ? rest.slice(0, ask.mostFiles) : rest.filter(({ path }) => path === ask.path);
  if (ask.path !== undefined && page.length === 0) {
    throw new Refusal("NOT_FOUND", "The pull request changes no such file.", "Leave path out to see which it changes.");
  }
  const wanted = { type: "git" as const, root: pull.repositoryPath, head: fork, files: page };
  const compared = await compareFiles(look, { ...wanted, isAlone: ask.path !== undefined });
  const kinds = new Map(page.map((file) => [file.path, changeOf(file)]));
  const files = compared.map((file) => ({
    ...file,
    change: kinds.get(file.path) ?? ("modified" as const),
    isUnexpected: false,
    isStale: false,
  }));
  return {
    pull,
    head,
    files,
    filesCount: all.length,
    filesLeft: ask.path === undefined ? rest.length - page.length : 0,
  };
}

const changeOf = ({ before, after }: Comparison["files"][number]): FileDiff["change"] =>
  before === null ? "added" : after === null ? "deleted" : "modified";
