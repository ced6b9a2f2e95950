import type { InstanceId } from "../../contract/ids.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { FileDiff } from "../evidence/diff-model.ts";
import { compareFiles } from "../evidence/diff-operations.ts";
import type { Look } from "../port.ts";
import { getSeenInstance } from "../review/person-operations.ts";
import type { Pull } from "./model.ts";
import { getKnownPull } from "./operations.ts";
import type { CompareAsk, Comparison } from "./port.ts";

interface DiffAsk {
  /** Only this file, with more of its lines. */
  readonly path?: string | undefined;
  readonly after?: string | undefined;
  readonly mostFiles: number;
}

/** What a branch brings, line by line. */
interface BranchDiff {
  readonly head: string;
  readonly files: readonly FileDiff[];
  readonly filesCount: number;
  readonly filesLeft: number;
}

export interface PullDiff extends BranchDiff {
  readonly pull: Pull;
}

export interface InstanceDiff extends BranchDiff {
  readonly id: InstanceId;
  readonly base: string;
}

/** What a pull request changes, line by line: from where its branch left the base to where it stands. */
export async function diffPull(look: Look, number: number, ask: DiffAsk): Promise<PullDiff> {
  const pull = await look.read((db) => getKnownPull({ db, caller: look.caller }, number));
  if (pull.place !== look.place) throw new Refusal("INVALID_STATE", "The repository lies with another server.");
  return { pull, ...(await diffBranch(look, pull, ask)) };
}

/** What an instance has committed on its branch since it left the base. */
export async function diffInstance(look: Look, id: InstanceId, ask: DiffAsk): Promise<InstanceDiff> {
  const instance = await look.read((db) => getSeenInstance({ db, caller: look.caller }, id));
  const { branch, baseBranch: base, repositoryPath, run } = instance;
  if (instance.place !== look.place) throw new Refusal("INVALID_STATE", "The repository lies with another server.");
  if (branch === null || base === null) {
    throw new Refusal("INVALID_STATE", "This agent has no branch that could be compared.");
  }
  const ends = { repositoryPath, branch, base, head: run?.commit ?? branch, endedAt: null, baseBefore: null };
  return { id, base, ...(await diffBranch(look, ends, ask)) };
}

async function diffBranch(look: Look, ends: CompareAsk, ask: DiffAsk): Promise<BranchDiff> {
  const { fork, head, files: all } = await look.ports.pull.compare(ends, look.signal);
  const sorted = all.toSorted((one, other) => (one.path < other.path ? -1 : 1));
  const rest = sorted.filter(({ path }) => ask.after === undefined || path > ask.after);
  const page = ask.path === undefined ? rest.slice(0, ask.mostFiles) : rest.filter(({ path }) => path === ask.path);
  if (ask.path !== undefined && page.length === 0) {
    throw new Refusal("NOT_FOUND", "The branch changes no such file.", "Leave path out to see which it changes.");
  }
  const wanted = { type: "git" as const, root: ends.repositoryPath, head: fork, files: page };
  const compared = await compareFiles(look, { ...wanted, isAlone: ask.path !== undefined });
  const kinds = new Map(page.map((file) => [file.path, changeOf(file)]));
  return {
    head,
    files: compared.map((file) => ({
      ...file,
      change: kinds.get(file.path) ?? ("modified" as const),
      isUnexpected: false,
      isStale: false,
    })),
    filesCount: all.length,
    filesLeft: ask.path === undefined ? rest.length - page.length : 0,
  };
}

const changeOf = ({ before, after }: Comparison["files"][number]): FileDiff["change"] =>
  before === null ? "added" : after === null ? "deleted" : "modified";
