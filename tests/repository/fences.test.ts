import { afterAll, beforeAll, expect, test } from "vitest";
import { addFiles, copyFromRepository, type Ended, plantTree, runScript } from "./planted-tree.ts";

interface Plant {
  readonly rule: string;
  readonly when: string;
  readonly path: string;
  readonly text: string;
  /** What is found on the planted line; nothing when the plant is legal. */
  readonly fence?: string;
}

const plants: readonly Plant[] = [
  {
    rule: "RE11",
    when: "a contract that imports the store",
    path: "src/contract/planted.ts",
    text: `import "../storage/open.ts";`,
    fence: "src/storage/open.ts  contract may not see storage",
  },
  {
    rule: "RE11",
    when: "a store that imports a noun, even as a type",
    path: "src/storage/planted.ts",
    text: `import type { Agent } from "../domain/agent/model.ts";`,
    fence: "src/domain/agent/model.ts  storage may not see domain",
  },
  {
    rule: "RE11",
    when: "an operation that imports the engine with import()",
    path: "src/domain/agent/planted-operations.ts",
    text: `export const load = () => import("../../engine/dispatch.ts");`,
    fence: "src/engine/dispatch.ts  domain may not see engine",
  },
  {
    rule: "RE11",
    when: "a tool that imports the store through a re-export",
    path: "src/tools/workflow/planted.ts",
    text: `export { openStore } from "../../storage/open.ts";`,
    fence: "src/storage/open.ts  tools may not see storage",
  },
  {
    rule: "RE11",
    when: "a tool that goes around the operations",
    path: "src/tools/workflow/planted-shortcut.ts",
    text: `import { saveAgent } from "../../domain/agent/store.ts";`,
    fence: "src/domain/agent/store.ts  tools may see only operations and models of domain",
  },
  {
    rule: "RE11",
    when: "an engine that imports a transport inside a type",
    path: "src/engine/planted.ts",
    text: `export type Server = import("../transports/http/server.ts").Server;`,
    fence: "src/transports/http/server.ts  engine may not see transports",
  },
  {
    rule: "RE11",
    when: "an adapter that imports a record",
    path: "src/adapters/planted.ts",
    text: `import type { Agent } from "../domain/agent/model.ts";`,
    fence: "src/domain/agent/model.ts  adapters may see only effect and port types of domain",
  },
  {
    rule: "RE11",
    when: "an adapter that imports the type of an effect",
    path: "src/adapters/planted-effect.ts",
    text: `import type { Effect } from "../domain/effect.ts";`,
  },
  {
    rule: "RE11",
    when: "an adapter that runs the domain's code",
    path: "src/adapters/planted-caller.ts",
    text: `import { runEffect } from "../domain/effect.ts";`,
    fence: "src/domain/effect.ts  adapters may see only types of domain",
  },
  {
    rule: "RE50",
    when: "an adapter that runs git past its opener",
    path: "src/adapters/evidence/planted-git.ts",
    text: `import { installedGit, runGit } from "../git/run.ts";`,
    fence: "runGit  git runs through the one opener, src/adapters/git/open.ts",
  },
  {
    rule: "RE11",
    when: "a part of every index that knows what is indexed",
    path: "src/search/planted.ts",
    text: `import type { Task } from "../domain/task/model.ts";`,
    fence: "src/domain/task/model.ts  search may not see domain",
  },
  {
    rule: "RE11",
    when: "a code index that reads files in threads and is asked through a port",
    path: "src/codeindex/planted.ts",
    text: `import "node:worker_threads"; import type { Ports } from "../domain/port.ts"; import "../search/postings.ts";`,
  },
  {
    rule: "RE11",
    when: "a code index that asks the store",
    path: "src/codeindex/planted-store.ts",
    text: `import "../storage/open.ts";`,
    fence: "src/storage/open.ts  codeindex may not see storage",
  },
  {
    rule: "RE11",
    when: "a code index that runs the domain's code",
    path: "src/codeindex/planted-caller.ts",
    text: `import { findTask } from "../domain/task/model.ts";`,
    fence: "src/domain/task/model.ts  codeindex may see only types of domain",
  },
  {
    rule: "RE11",
    when: "a transport that imports a noun",
    path: "src/transports/http/planted.ts",
    text: `import { listAgents } from "../../domain/agent/operations.ts";`,
    fence: "src/domain/agent/operations.ts  transports may not see domain",
  },
  {
    rule: "RE11",
    when: "a transport that imports an adapter",
    path: "src/transports/cli/planted.ts",
    text: `import { homeAt } from "../../adapters/home.ts";`,
  },
  {
    rule: "RE11",
    when: "a dashboard that runs server code",
    path: "src/dashboard/planted.tsx",
    text: `import { isLive, type Agent } from "../domain/agent/model.ts"; export const View = () => <p>{isLive}</p>;`,
    fence: "src/domain/agent/model.ts  dashboard may see only types of domain",
  },
  {
    rule: "RE11",
    when: "a dashboard whose import of types stays when it is compiled",
    path: "src/dashboard/planted-braces.ts",
    text: `import { type Agent } from "../domain/agent/model.ts"; export const nameOf = (agent: Agent) => agent.name;`,
    fence: "src/domain/agent/model.ts  dashboard may see only types of domain",
  },
  {
    rule: "RE11",
    when: "a dashboard that imports types",
    path: "src/dashboard/planted-types.tsx",
    text: `import type { Agent } from "../domain/agent/model.ts"; export const View = (agent: Agent) => <p>{agent.name}</p>;`,
  },
  {
    rule: "RE11",
    when: "anybody who imports main",
    path: "src/transports/http/planted-main.ts",
    text: `import "../../main.ts";`,
    fence: "src/main.ts  transports may not see main",
  },
  {
    rule: "RE11",
    when: "a main that imports every room",
    path: "src/main/planted.ts",
    text: `import "../domain/agent/store.ts"; import "../transports/http/server.ts"; import "../adapters/home.ts";`,
  },
  {
    rule: "RE11",
    when: "a product that leans on the tests' workshop",
    path: "src/main/planted-testing.ts",
    text: `import "../testing/house.ts";`,
    fence: "src/testing/house.ts  only tests may use src/testing",
  },
  {
    rule: "RE11",
    when: "a room that nobody planned",
    path: "src/utils/planted.ts",
    text: `import "node:fs";`,
    fence:
      "node:fs  src/utils is no room; the rooms are contract, search, storage, domain, tools, engine, adapters, codeindex, transports, dashboard",
  },
  {
    rule: "RE11",
    when: "an import that nobody can follow",
    path: "src/engine/planted-dynamic.ts",
    text: `export const load = (name: string) => import(name);`,
    fence: "import()  an import must be a plain string, so that it can be followed",
  },
  {
    rule: "RE11",
    when: "a fence that is only mentioned",
    path: "src/contract/planted-comment.ts",
    text: `export const text = 'import "../storage/open.ts"'; // import "../storage/open.ts"`,
  },
  {
    rule: "RE12",
    when: "a contract that imports more than zod",
    path: "src/contract/planted-package.ts",
    text: `import { createHash } from "node:crypto";`,
    fence: "node:crypto  contract may not use node:crypto (allowed here: none)",
  },
  {
    rule: "RE12",
    when: "a rule that reads files",
    path: "src/domain/agent/planted-rules.ts",
    text: `import { readFileSync } from "node:fs";`,
    fence: "node:fs  domain may not use node:fs (allowed here: node:crypto, node:path)",
  },
  {
    rule: "RE12",
    when: "a transport that opens a database of its own",
    path: "src/transports/http/planted-database.ts",
    text: `import { DatabaseSync } from "@photostructure/sqlite";`,
    fence: "@photostructure/sqlite  only storage may use @photostructure/sqlite",
  },
  {
    rule: "RE13",
    when: "a rule that queries",
    path: "src/domain/task/rules.ts",
    text: `import type { Db } from "../../storage/db.ts";`,
    fence: "src/storage/db.ts  a file of role rules may not touch storage",
  },
  {
    rule: "RE13",
    when: "a store that decides",
    path: "src/domain/agent/planted-store.ts",
    text: `import { isLive } from "./rules.ts";`,
    fence: "src/domain/agent/rules.ts  a file of role store may not see its noun's rules",
  },
  {
    rule: "RE13",
    when: "an operation that saves around its store",
    path: "src/domain/agent/planted-save-operations.ts",
    text: `import { saveVersioned } from "../../storage/save.ts";`,
    fence: "src/storage/save.ts  a file of role operations may see only types of storage",
  },
  {
    rule: "RE13",
    when: "an operation that queries another noun's tables",
    path: "src/domain/message/planted-operations.ts",
    text: `import { findAgent } from "../agent/store.ts";`,
    fence: "src/domain/agent/store.ts  a file of role operations may not see the store of another noun",
  },
  {
    rule: "RE13",
    when: "a model that reaches for the work",
    path: "src/domain/agent/planted-model.ts",
    text: `import type { Work } from "../work.ts";`,
    fence: "src/domain/work.ts  a file of role model may not see src/domain/work.ts",
  },
  {
    rule: "RE13",
    when: "a model that uses words which all nouns share",
    path: "src/domain/agent/planted-words-model.ts",
    text: `import type { Word } from "../planted-words.ts";`,
  },
  {
    rule: "RE13",
    when: "shared words that know a noun",
    path: "src/domain/planted-words.ts",
    text: `import type { Agent } from "./agent/model.ts"; export type Word = Agent["name"];`,
    fence: "src/domain/agent/model.ts  src/domain/planted-words.ts belongs to all nouns and may see none of them",
  },
  {
    rule: "RE14",
    when: "a noun that uses a higher one",
    path: "src/domain/agent/planted-upward-operations.ts",
    text: `import { sendMessage } from "../message/operations.ts";`,
    fence: "src/domain/message/operations.ts  agent may not see message: it does not stand below it",
  },
  {
    rule: "RE14",
    when: "a noun that uses a lower one",
    path: "src/domain/message/planted-downward-operations.ts",
    text: `import { findAgent } from "../agent/operations.ts";`,
  },
  {
    rule: "RE14",
    when: "a code index that uses more than projects",
    path: "src/domain/codeindex/operations.ts",
    text: `import { findAgent } from "../agent/operations.ts";`,
    fence: "src/domain/agent/operations.ts  codeindex may not see agent: it does not stand below it",
  },
  {
    rule: "RE14",
    when: "a noun without a place",
    path: "src/domain/gadget/model.ts",
    text: `export type Gadget = string;`,
    fence: "the folder  gadget has no place in the order of nouns; add it to scripts/fences/nouns.mjs",
  },
  {
    rule: "RE15",
    when: "an engine that prints",
    path: "src/engine/planted-print.ts",
    text: `process.stdout.write("hello");`,
    fence: "process.stdout  only the CLI and the stdio gate may write to stdout",
  },
  {
    rule: "RE15",
    when: "a main that logs to the console",
    path: "src/main/planted-log.ts",
    text: `console.log("hello");`,
    fence: "console.log  only the CLI and the stdio gate may write to stdout",
  },
  {
    rule: "RE15",
    when: "a command that prints",
    path: "src/transports/cli/planted-print.ts",
    text: `process.stdout.write("hello");`,
  },
  {
    rule: "RE16",
    when: "an adapter that calls exec",
    path: "src/adapters/planted-exec.ts",
    text: `import { exec, execFile } from "node:child_process";`,
    fence: "node:child_process exec  no program is ever started through a shell",
  },
  {
    rule: "RE16",
    when: "a workshop that calls execSync",
    path: "src/testing/planted-exec.ts",
    text: `import { execSync as run } from "node:child_process";`,
    fence: "node:child_process execSync  no program is ever started through a shell",
  },
  {
    rule: "RE16",
    when: "an adapter that hides the names behind a star",
    path: "src/adapters/planted-star.ts",
    text: `import * as processes from "node:child_process";`,
    fence: "node:child_process  import its functions by name, so that this check can see them",
  },
  {
    rule: "RE16",
    when: "an adapter that asks spawn for a shell",
    path: "src/adapters/planted-shell.ts",
    text: `export const options = { shell: true };`,
    fence: "shell  no program is ever started through a shell",
  },
  {
    rule: "RE17",
    when: "a rule that looks at the clock",
    path: "src/domain/agent/planted-clock-rules.ts",
    text: `export const isOld = (at: number) => Date.now() - at > 5;`,
    fence: "Date.now  contract, search and domain take time and chance from the work they are given",
  },
  {
    rule: "RE17",
    when: "an operation that rolls dice",
    path: "src/domain/agent/planted-dice-operations.ts",
    text: `import { randomBytes } from "node:crypto";`,
    fence: "node:crypto randomBytes  contract, search and domain take time and chance from the work they are given",
  },
  {
    rule: "RE18",
    when: "a file that nobody reads to its end",
    path: "src/adapters/planted-long.ts",
    text: "export {};\n".repeat(501),
    fence: "501 lines  no file has more than 500",
  },
];

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

test.each(plants)("[$rule] the fences judge $when", ({ path, fence }) => {
  const line = fence?.includes("501 lines") ? 501 : 1;
  const found = result.stdout.split("\n").filter((text) => text.startsWith(`${path}:`));
  expect(found).toEqual(fence === undefined ? [] : [`${path}:${line}  ${fence}`]);
  expect(result.code).toBe(1);
});

test("[RE11] a tree without faults passes", async () => {
  const { root, remove: removeTree } = plantTree({
    "src/contract/word.ts": `import { z } from "zod"; export const Word = z.string();`,
    "src/domain/agent/model.ts": `import { Word } from "../../contract/word.ts"; export const Agent = Word;`,
  });
  try {
    expect(await runScript("fences.mjs", ["--root", root])).toEqual({
      code: 0,
      stdout: "every fence holds\n",
      stderr: "",
    });
  } finally {
    removeTree();
  }
});
