import { describe, expect, test } from "vitest";
import { evidencePorts } from "../../src/adapters/checks/ports.ts";
import { projectPorts } from "../../src/adapters/git/locate.ts";
import { openTestHouse } from "../../src/testing/house.ts";
import { completeTask, makeRepository, startMission, startTask, tempDir } from "./repository.ts";

interface Touches {
  readonly touches: readonly { readonly file: string; readonly task_id: string; readonly developer: string }[];
}

describe.each(["sqlite", "postgres"] as const)("who changed files last, on %s", (kind) => {
  test("[CX23] a file is told with the last task whose receipt has it, of this repository and of nobody private", async () => {
    const house = await openTestHouse(kind, { ports: { ...evidencePorts, project: projectPorts(true) } });
    const { caller: reader } = await house.developer("reader");
    const [r, other] = [makeRepository(), makeRepository()];
    const tree = `${tempDir()}/beside`;
    r.git("worktree", "add", "-q", tree);
    const workIn = async (repository_path: string, write: () => void): Promise<string> => {
      const mission_id = await startMission(house);
      const { task_id } = await startTask(house, { mission_id, areas: [], repository_path });
      write();
      await completeTask(house, task_id);
      house.clock.advance(1_000);
      return task_id;
    };
    const files = ['src/100%_"odd".ts', "src/Ünder.ts", "src/untouched.ts"];
    const [odd = "", umlaut = ""] = files;
    const first = await workIn(r.dir, () => {
      r.write(odd, "one\n");
      r.write(umlaut, "one\n");
    });
    const second = await workIn(r.dir, () => r.write(umlaut, "two\n"));
    await workIn(other.dir, () => other.write(odd, "elsewhere\n"));
    const ask = async (repoPath: string, caller = reader) =>
      (await house.call<Touches>("file_touches", { repoPath, files }, caller)).touches.map(({ file, task_id }) => [
        file,
        task_id,
      ]);
    const expected = [
      [odd, first],
      [umlaut, second],
    ];
    expect((await ask(r.dir)).sort()).toEqual(expected.sort());
    expect((await ask(tree)).sort()).toEqual(expected.sort());
    const { developers } = await house.call<{ developers: { handle: string }[] }>("developer_list");
    const handle = developers[0]?.handle;
    await house.call("developer_update", { handle, private: true });
    expect(await ask(r.dir)).toEqual([]);
    expect((await ask(r.dir, house.owner)).length).toBe(2);
    expect(await house.refusal("file_touches", { repoPath: `${r.dir}/nowhere`, files })).toBe("INVALID_REQUEST");
  });
});

test("[RL3] off this machine nothing is told of a folder that nobody registered: file_touches is FORBIDDEN", async () => {
  const house = await openTestHouse("sqlite", { ports: { project: projectPorts(false) } });
  expect(await house.refusal("file_touches", { repoPath: tempDir(), files: ["a.ts"] })).toBe("FORBIDDEN");
});
