import { gitHands, gitPorts } from "../../src/adapters/git/hands.ts";
import { openGitHost } from "../../src/adapters/git/host.ts";
import type { GitProgram } from "../../src/adapters/git/run.ts";
import { openTestHouse, type StoreKind, type TestHouse } from "../../src/testing/house.ts";
import { makeFolder, makeRepository, type TestRepository } from "../git/scratch.ts";

export interface Scene {
  readonly house: TestHouse;
  readonly repository: TestRepository;
  readonly workflowId: string;
  /** A path for a worktree beside the repository. */
  place(name: string): string;
}

/** A house with real hands, a repository, and a workflow in it. */
export async function openScene(
  kind: StoreKind = "sqlite",
  options: Parameters<typeof openTestHouse>[1] & { git?: GitProgram } = {},
): Promise<Scene> {
  const { git, ...rest } = options;
  // Before the house, so that it is removed after the house has closed and nobody works in it any more.
  const repository = makeRepository();
  const host = openGitHost({ dataDir: makeFolder("crewdeck-data-"), ...(git === undefined ? {} : { git }) });
  const house = await openTestHouse(kind, { hands: gitHands(host), ports: gitPorts(host), ...rest });
  const { id: workflowId } = await house.call<{ id: string }>("workflow_create", {
    name: "Shop",
    source_type: "prompt",
    source_content: "Sell things.",
    repository_path: repository.path,
  });
  return { house, repository, workflowId, place: (name) => `${repository.path}-worktrees/${name}` };
}

export interface MadeWorkspace {
  readonly id: string;
  readonly path: string;
  readonly ready: boolean;
  readonly base_behind: number | null;
  readonly problem: string | null;
}

/** Has a worktree made. On a busy machine the answer may come before the folder; a test waits for as long as it takes. */
export async function makeWorkspace(
  scene: Scene,
  name: string,
  more: Record<string, unknown> = {},
): Promise<MadeWorkspace> {
  const { house, workflowId } = scene;
  const ask = { workflow_id: workflowId, path: scene.place(name), branch: `work/${name}`, create_worktree: true };
  const made = await house.call<MadeWorkspace>("workspace_create", { ...ask, ...more });
  if (made.ready !== false || made.problem !== null) return made;
  await house.house.errands.settle();
  const { workspaces } = await house.call<{ workspaces: MadeWorkspace[] }>("workspace_list", {
    workflow_id: workflowId,
  });
  const found = workspaces.find(({ id }) => id === made.id);
  return { ...made, ready: found?.ready ?? false, problem: found?.problem ?? null };
}

/** Gives a worktree up and has its folder removed. Asking again only tells how far it is. */
export async function cleanUp(scene: Scene, id: string): Promise<{ removed: boolean; problem: string | null }> {
  const ask = { id, status: "abandoned", cleanup_worktree: true };
  const call = () => scene.house.call<{ removed: boolean; problem: string | null }>("workspace_update", ask);
  const first = await call();
  if (first.removed || first.problem !== null) return first;
  await scene.house.house.errands.settle();
  return call();
}

/** Puts a copy back. */
export async function restore(scene: Scene, id: string, to?: string): Promise<Record<string, unknown>> {
  const { house } = scene;
  const answer = await house.call("vault_restore", to === undefined ? { id } : { id, to });
  if (answer["restored"] === true || answer["problem"] !== null) return answer;
  await house.house.errands.settle();
  const copy = (await listCopies(scene)).find((one) => one.id === id);
  return { ...answer, restored: copy?.restored_to === answer["path"], problem: copy?.problem ?? null };
}

export interface Copy {
  readonly id: string;
  readonly worktree_id: string;
  readonly path: string;
  readonly ref: string;
  readonly merged: boolean;
  readonly restored_to: string | null;
  readonly problem: string | null;
}

export const listCopies = async (scene: Scene): Promise<Copy[]> =>
  (await scene.house.call<{ entries: Copy[] }>("vault_list")).entries;

/** The only copy there is. */
export async function theCopy(scene: Scene): Promise<Copy> {
  const [copy, ...others] = await listCopies(scene);
  if (copy === undefined || others.length > 0)
    throw new Error(`expected one copy, found ${others.length + (copy ? 1 : 0)}`);
  return copy;
}
