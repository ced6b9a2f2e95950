import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { crewdeck, crewdeckJson, ensureBuilt, openHome, type TestHome } from "../cli/program.ts";
import { git, makeRepository, writeIn } from "../git/scratch.ts";
import { capture } from "./capture.ts";

beforeAll(ensureBuilt);

const call = <T = Record<string, unknown>>(home: TestHome, tool: string, args: object): Promise<T> =>
  crewdeckJson<T>(home, "call", tool, "--input", JSON.stringify(args));

test("[VA24] a removed worktree is listed and put back from the terminal", async () => {
  const home = openHome();
  const repository = makeRepository();
  const workflow = { name: "Shop", source_type: "prompt", source_content: "x", repository_path: repository.path };
  const { id: workflow_id } = await call<{ id: string }>(home, "workflow_create", workflow);
  const path = `${repository.path}-worktrees/login`;
  const ask = { workflow_id, path, branch: "work/login", create_worktree: true };
  const { id } = await call<{ id: string }>(home, "workspace_create", ask);
  expect(await crewdeck(home, ["vault", "list"])).toEqual({
    code: 0,
    stdout: "No copies. Nothing has been removed yet.\n",
    stderr: "",
  });
  writeIn(path, "new.txt", "untracked\n");
  const before = capture(path);
  await call(home, "workspace_update", { id, status: "abandoned", cleanup_worktree: true });

  const { entries } = await crewdeckJson<{ entries: { id: string }[] }>(home, "vault", "list");
  const copy = entries[0]?.id ?? "";
  expect(entries).toMatchObject([{ worktree_id: id, untracked: 1, restored_at: null }]);
  const listed = await crewdeck(home, ["vault", "list"]);
  expect(listed.stdout).toMatch(new RegExp(`^ID .*\\n${copy} .* 1 file +saved +work/login +${path}\\n$`));

  const to = join(repository.around, "again");
  const restored = await crewdeck(home, ["vault", "restore", copy, "--to", to]);
  expect(restored).toEqual({ code: 0, stdout: `Restored to ${to}\nThe copy stays in the vault.\n`, stderr: "" });
  expect(capture(to)).toEqual(before);

  mkdirSync(join(path, "taken"), { recursive: true });
  const refused = await crewdeck(home, ["vault", "restore", copy]);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("Something already exists at this path.") });
  expect((await crewdeck(home, ["vault", "list", "--all"])).stdout).toContain("restored");
  expect(git(to, "symbolic-ref", "--short", "HEAD")).toBe("work/login");
  expect(existsSync(join(path, "taken"))).toBe(true);
});
