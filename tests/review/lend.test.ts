import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
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
    args: ["crewdeck.js", "mcp"],
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
