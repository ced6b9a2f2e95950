import { join } from "node:path";
import { openTestHouse, type StoreKind, type TestHouse } from "../../src/testing/house.ts";
import { makeFolder, repositoryLike, type TestRepository } from "../git/scratch.ts";

export interface PullScene {
  readonly house: TestHouse;
  readonly repository: TestRepository;
}

/** A house and a repository with a branch `work/login` beside `main`, which is checked out. */
export async function openPullScene(
  kind: StoreKind = "sqlite",
  options: Parameters<typeof openTestHouse>[1] = {},
): Promise<PullScene> {
  const repository = repositoryLike(join(makeFolder(), "shop"), "pull scene", (model) => {
    model.commit("first", { "a.txt": "one\n", "b.txt": "two\n" });
    branch(model, "work/login", { "a.txt": "one\nmore\n", "new.txt": "new\n" });
  });
  return { repository, house: await openTestHouse(kind, options) };
}

/** A branch from main with one commit; main is checked out again afterwards. */
export function branch(repository: TestRepository, name: string, files: Readonly<Record<string, string>>): string {
  repository.git("checkout", "-q", "-b", name, "main");
  const commit = repository.commit(`work on ${name}`, files);
  repository.git("checkout", "-q", "main");
  return commit;
}

export interface PullAnswer {
  readonly number: number;
  readonly status: string;
  readonly head: string;
  readonly url: string;
  readonly problem: string | null;
  readonly merge_commit: string;
}

/** Opens a pull request as a person does. */
export async function open({ house, repository }: PullScene, more: Record<string, unknown> = {}): Promise<PullAnswer> {
  const ask = { repository: repository.path, branch: "work/login", title: "Add a login", description: "As asked." };
  return (await house.call<{ pull: PullAnswer }>("pull_open", { ...ask, ...more })).pull;
}

export interface Detail extends PullAnswer {
  readonly sent_back: boolean;
  readonly current: { head: string; ahead: number; behind: number; mergeable: boolean; conflicts: string[] } | null;
  readonly comments: { path: string | null; line: number | null; body: string; sent: boolean }[];
}

export const show = ({ house }: PullScene, number: number): Promise<Detail> => house.call("pull_get", { number });
