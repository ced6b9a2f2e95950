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

/** The files the compiler finds fault with. */
function checkTypes(project: string): Promise<string[]> {
  const compiler = join(repository, "node_modules", "typescript", "bin", "tsc");
  const settings = { cwd: root, maxBuffer: 64 * 1024 * 1024 };
  return new Promise((settle) => {
    execFile(process.execPath, [compiler, "-p", project], settings, (_error, stdout) => {
      settle(
        [...new Set([...stdout.matchAll(/^(\S+)\(\d+,\d+\): error TS2/gm)].map((match) => match[1] ?? ""))].sort(),
      );
    });
  });
}

test.each([
  { who: "the deck", project: "tsconfig.deck.json", where: "src/dashboard/", file: "views/board/board-model.ts" },
  { who: "the command line", project: "tsconfig.json", where: "src/transports/cli/", file: "commands/board.ts" },
])("[RE70] a field that a tool answers under another name fails the types of $who and nobody else's", async ({
  project,
  where,
  file,
}) => {
  const faulty = await checkTypes(project);
  expect(faulty).toContain(`${where}${file}`);
  expect(faulty.filter((path) => !path.startsWith(where))).toEqual([]);
});
