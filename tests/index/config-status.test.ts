import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { artifactPorts } from "../../src/adapters/artifacts/ports.ts";
import { projectPorts } from "../../src/adapters/git/locate.ts";
import { indexCopies } from "../../src/storage/index-copy/write-copy.ts";
import { openTestHouse } from "../../src/testing/house.ts";
import { git, makeFolder, makeRepository } from "../git/scratch.ts";

const noDownloads = { allow: false, hosts: [], files: {} };

const openHouse = (homeDir: string, isLocal = true) =>
  openTestHouse("sqlite", {
    ports: {
      project: projectPorts(isLocal),
      artifact: artifactPorts({ homeDir, downloads: noDownloads, copies: indexCopies }),
    },
  });

test("[RL1] a folder below the top folder of a repository stands for the repository", async () => {
  const { path } = makeRepository();
  mkdirSync(join(path, "src", "deep"), { recursive: true });
  const house = await openHouse(makeFolder());
  expect(await house.call("config_status", { repoPath: join(path, "src", "deep") })).toMatchObject({ repoPath: path });
});

test("[RL2] config_status refuses what is no folder of a repository with INVALID_REQUEST", async () => {
  const house = await openHouse(makeFolder());
  const outside = makeFolder();
  writeFileSync(join(outside, "file"), "");
  for (const repoPath of [outside, join(outside, "file"), join(outside, "gone"), "src", "/a\u0000b"]) {
    expect(await house.refusal("config_status", { repoPath })).toBe("INVALID_REQUEST");
  }
});

test("[RL3] off loopback config_status is FORBIDDEN for what nobody registered, and not for worktrees of what somebody did", async () => {
  const { path } = makeRepository();
  const side = join(makeFolder(), "side");
  git(path, "worktree", "add", "-q", "-b", "side", side);
  const house = await openHouse(makeFolder(), false);
  for (const repoPath of [path, side, "/srv/gone"]) {
    expect(await house.refusal("config_status", { repoPath })).toBe("FORBIDDEN");
  }
  await house.call("repository_register", { path });
  expect(await house.call("config_status", { repoPath: path })).toMatchObject({ repoPath: path });
  expect(await house.call("config_status", { repoPath: side })).toMatchObject({ repoPath: side });
});

test("[AR1] what is missing has a warning with a code, and what is there has none", async () => {
  const home = makeFolder();
  const { path: repoPath } = makeRepository();
  const house = await openHouse(home);
  const codes = async () =>
    (await house.call<{ warnings: { code: string }[] }>("config_status", { repoPath })).warnings.map(
      ({ code }) => code,
    );
  expect(await codes()).toEqual([
    "model_missing",
    "dictionary_missing",
    "extension_missing",
    "document_extract_missing",
  ]);
  mkdirSync(join(home, "index", "dictionaries"), { recursive: true });
  writeFileSync(join(home, "index", "dictionaries", "en.txt"), "word\n");
  expect(await codes()).toEqual(["model_missing", "extension_missing", "document_extract_missing"]);
  expect(await house.call("config_status", { repoPath })).toMatchObject({
    capabilities: { mcp: { sdk: true }, search: { memory: true, sqlite: true } },
    config: { downloads: { allow: false }, installed: { dictionaries: ["en.txt"] } },
    cache: { dictionaries: { exists: true }, models: { exists: false } },
  });
});
