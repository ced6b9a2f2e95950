import { execFile } from "node:child_process";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { copyFromRepository, plantTree, repository } from "./planted-tree.ts";

/** A copy of the source in which one field of what one tool answers has another name. */
const { root, remove } = plantTree();
const definition = "src/tools/person/task/task-list.ts";

beforeAll(() => {
  copyFromRepository(root, ["src", "package.json", "tsconfig.json", "tsconfig.deck.json"]);
  symlinkSync(join(repository, "node_modules"), join(root, "node_modules"));
  const text = readFileSync(join(root, definition), "utf8");
  expect(text.match(/\bupdated_at:/g)).toHaveLength(2);
  writeFileSync(join(root, definition), text.replaceAll(/\bupdated_at:/g, "changed_at:"));
});
afterAll(remove);

/** The files the compiler finds fault with, in the deck, the command line and all that they load. */
function checkTypes(): Promise<string[]> {
  const compiler = join(repository, "node_modules", "typescript", "bin", "tsc");
  const project = { extends: "./tsconfig.deck.json", include: ["src/dashboard", "src/transports/cli"] };
  writeFileSync(join(root, "tsconfig.both.json"), JSON.stringify(project));
  const settings = { cwd: root, maxBuffer: 64 * 1024 * 1024 };
  return new Promise((settle) => {
    execFile(process.execPath, [compiler, "-p", "tsconfig.both.json"], settings, (_error, stdout) => {
      settle(
        [...new Set([...stdout.matchAll(/^(\S+)\(\d+,\d+\): error TS2/gm)].map((match) => match[1] ?? ""))].sort(),
      );
    });
  });
}

test("[RE70] a field that a tool answers under another name fails the types of the deck and the command line, and nobody else's", async () => {
  const faulty = await checkTypes();
  expect(faulty).toContain("src/dashboard/views/board/board-model.ts");
  expect(faulty).toContain("src/transports/cli/commands/board.ts");
  expect(faulty.filter((path) => !/^src\/(dashboard|transports\/cli)\//.test(path))).toEqual([]);
});
