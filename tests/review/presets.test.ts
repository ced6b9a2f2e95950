import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commitPathsOf } from "../../src/adapters/launcher/commit-paths.ts";
import { lendFile } from "../../src/adapters/launcher/lend.ts";
import { presets } from "../../src/adapters/launcher/programs.ts";
import { makeFolder, makeRepository } from "../git/scratch.ts";

const ask = {
  type: "coding",
  mode: "headless",
  turn: 1,
  prompt: "x",
  promptFile: "/p",
  folder: "/f",
  path: "/w",
  commitPaths: ["/g/objects"],
  conversation: "c",
  saidConversation: null,
  bridge: ["node", "crewdeck.js", "mcp"],
  variables: ["COVIBE_MCP_TOKEN"],
} as const;

test("[LA4] Gemini CLI finds our server in a file of its work tree that git does not see", () => {
  const repository = makeRepository();
  const line = presets["gemini"]?.line(ask);
  const file = line?.workTreeFile ?? { path: "", content: "" };
  expect(lendFile(repository.path, file)).toBe(true);
  const { mcpServers } = JSON.parse(readFileSync(join(repository.path, ".gemini/settings.json"), "utf8"));
  expect(mcpServers.crewdeck).toMatchObject({
    command: "node",
    args: ["crewdeck.js", "mcp", "--tools", "core,review"],
    env: { COVIBE_MCP_TOKEN: "$COVIBE_MCP_TOKEN" },
  });
  expect(repository.git("status", "--porcelain", "--untracked-files=all")).toBe("");
  expect(lendFile(repository.path, file)).toBe(false);
});

test("[LA4] what a repository has there is not touched, and no link is followed", () => {
  const repository = makeRepository();
  mkdirSync(join(repository.path, ".gemini"));
  writeFileSync(join(repository.path, ".gemini/settings.json"), "{}");
  expect(lendFile(repository.path, { path: ".gemini/settings.json", content: "ours" })).toBe(false);
  expect(readFileSync(join(repository.path, ".gemini/settings.json"), "utf8")).toBe("{}");
  const other = makeRepository();
  const elsewhere = makeFolder();
  symlinkSync(elsewhere, join(other.path, ".gemini"));
  expect(lendFile(other.path, { path: ".gemini/settings.json", content: "ours" })).toBe(false);
  expect(existsSync(join(elsewhere, "settings.json"))).toBe(false);
});

test.each([
  "tmux",
  "headless",
] as const)("[LA6] Codex hands on who it is, and goes on with its conversation, in %s", (mode) => {
  const words = (turn: number) => presets["codex"]?.line({ ...ask, mode, turn, saidConversation: "t-1" }).words ?? [];
  expect(words(1)).toContain('mcp_servers.crewdeck.env_vars=["COVIBE_MCP_TOKEN"]');
  expect(words(1)).not.toContain("resume");
  expect(words(2)).toContain("resume");
});

test.each([
  "coding",
  "review",
] as const)("[LA10] Claude Code runs as a %s agent what it was allowed, and no more", (type) => {
  const tools = (allow?: readonly string[]) => {
    const words = presets["claude"]?.line({ ...ask, type, allow }).words ?? [];
    return words[words.indexOf("--allowedTools") + 1]?.match(/Bash\([^)]*\)|\S+/g) ?? [];
  };
  const usual: string[] = tools();
  expect(usual.some((tool) => /^Bash\((?!git )/.test(tool))).toBe(false);
  const added = tools(["npm test", "npx vitest *"]).filter((tool) => !usual.includes(tool));
  expect(added).toEqual(["Bash(npm test)", "Bash(npx vitest *)"]);
});

test("[LA7] Codex may write what a commit on its own branch takes, and neither hooks nor settings", async () => {
  const repository = makeRepository();
  const folder = join(repository.around, "one");
  repository.git("worktree", "add", "-q", "-b", "work/one", folder);
  const own = join(repository.path, ".git");
  const paths = ["objects", "refs/heads/work", "logs/refs/heads/work", "worktrees/one"].map((name) => join(own, name));
  expect(await commitPathsOf(folder)).toEqual(paths);
  const words = (type: "coding" | "review") =>
    presets["codex"]?.line({ ...ask, type, path: folder, commitPaths: paths }).words.join(" ") ?? "";
  for (const path of paths) expect(words("coding")).toContain(`${JSON.stringify(path)}="write"`);
  expect(words("coding")).not.toContain("-s workspace-write");
  expect(words("review")).toContain("-s read-only");
  expect(words("review")).not.toContain("write");
});

test.each([
  ["a head outside of its branches", "worktrees/one/HEAD", "ref: refs/heads/../../hooks/x\n"],
  ["notes of another folder", "worktrees/one/gitdir", "/elsewhere/.git\n"],
])("[LA7] %s opens nothing more", async (_what, file, content) => {
  const repository = makeRepository();
  const folder = join(repository.around, "one");
  repository.git("worktree", "add", "-q", "-b", "work/one", folder);
  writeFileSync(join(repository.path, ".git", file), content);
  expect(await commitPathsOf(folder)).toEqual([]);
});

test("[LA7] links that lead elsewhere, and folders that are no work tree, open nothing", async () => {
  const repository = makeRepository();
  const folder = join(repository.around, "one");
  repository.git("worktree", "add", "-q", "-b", "work/one", folder);
  rmSync(join(repository.path, ".git/logs/refs/heads/work"), { recursive: true });
  symlinkSync(makeFolder(), join(repository.path, ".git/logs/refs/heads/work"));
  expect(await commitPathsOf(folder)).toEqual([]);
  expect(await commitPathsOf(repository.path)).toEqual([]);
  expect(await commitPathsOf(makeFolder())).toEqual([]);
});

test.each([
  ["of the work tree", "../one/.git"],
  ["of what git keeps of it", ".git/worktrees/one/gitdir"],
  ["of its head", ".git/worktrees/one/HEAD"],
])("[GT34] a pipe in the place %s holds up no start and opens nothing more", async (_what, file) => {
  const repository = makeRepository();
  const folder = join(repository.around, "one");
  repository.git("worktree", "add", "-q", "-b", "work/one", folder);
  rmSync(join(repository.path, file));
  execFileSync("mkfifo", [join(repository.path, file)]);
  expect(await commitPathsOf(folder)).toEqual([]);
});
