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
  const host = openGitHost({ dataDir: makeFolder("crewdeck-data-"), ...(git === undefined ? {} : { git }) });
  const house = await openTestHouse(kind, { hands: gitHands(host), ports: gitPorts(host), ...rest });
  const repository = makeRepository();
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

/** Has a worktree made. */
export const makeWorkspace = (scene: Scene, name: string, more: Record<string, unknown> = {}): Promise<MadeWorkspace> =>
  scene.house.call<MadeWorkspace>("workspace_create", {
    workflow_id: scene.workflowId,
    path: scene.place(name),
    branch: `work/${name}`,
    create_worktree: true,
    ...more,
  });

/** Gives a worktree up and has its folder removed. */
export const cleanUp = (scene: Scene, id: string): Promise<{ removed: boolean; problem: string | null }> =>
  scene.house.call("workspace_update", { id, status: "abandoned", cleanup_worktree: true });

export interface Copy {
  readonly id: string;
  readonly worktree_id: string;
  readonly path: string;
  readonly ref: string;
  readonly merged: boolean;
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
