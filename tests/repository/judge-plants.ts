import { afterAll, beforeAll, expect } from "vitest";
import { addFiles, copyFromRepository, type Ended, plantTree, runScript } from "./planted-tree.ts";

export interface Plant {
  readonly rule: string;
  readonly when: string;
  readonly path: string;
  readonly text: string;
  /** What is found on the planted line; nothing when the plant is legal. */
  readonly fence?: string;
}

/** Plants all of them in a copy of the source and runs the fences once; answers how to judge what was found at one. */
export function plantAll(plants: readonly Plant[]): (plant: Plant) => void {
  let result: Ended;
  let remove: () => void = () => undefined;

  beforeAll(async () => {
    const tree = plantTree();
    remove = tree.remove;
    copyFromRepository(tree.root, ["src"]);
    addFiles(tree.root, Object.fromEntries(plants.map(({ path, text }) => [path, text])));
    result = await runScript("fences.mjs", ["--root", tree.root]);
  });
  afterAll(() => remove());

  return ({ path, fence }) => {
    const line = fence?.includes("501 lines") ? 501 : 1;
    const found = result.stdout.split("\n").filter((text) => text.startsWith(`${path}:`));
    expect(found).toEqual(fence === undefined ? [] : [`${path}:${line}  ${fence}`]);
    expect(result.code).toBe(1);
  };
}
