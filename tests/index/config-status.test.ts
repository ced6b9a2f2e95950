import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { noteInstalled } from "../../src/adapters/artifacts/download/installed.ts";
import { artifactPorts } from "../../src/adapters/artifacts/ports.ts";
import { projectPorts } from "../../src/adapters/git/locate.ts";
import { openGit } from "../../src/adapters/git/open.ts";
import { installedGit } from "../../src/adapters/git/run.ts";
import { openSentenceVectors } from "../../src/adapters/vectors/sentence-vectors.ts";
import { openCodeindex } from "../../src/codeindex/open-codeindex.ts";
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

test("[AR1, VE1] a model counts where it can be used, and limits that were set are told", async () => {
  const homeDir = makeFolder();
  const { path: repoPath } = makeRepository();
  const models = join(homeDir, "index", "models");
  const vectors = openSentenceVectors({ folder: models, log: { warn: () => undefined } });
  const codeindex = openCodeindex({
    homeDir,
    openGit: (signal) => openGit(installedGit, signal),
    now: Date.now,
    vectors,
  });
  const timeouts = { allMs: 5_000, toolsMs: { build_index: 0 } };
  const artifact = artifactPorts({ homeDir, downloads: noDownloads, copies: indexCopies, timeouts });
  const house = await openTestHouse("sqlite", {
    ports: { project: projectPorts(true), artifact, codeindex: codeindex.ports },
    keepers: [() => codeindex],
  });
  const read = () => house.call<{ warnings: { code: string }[] }>("config_status", { repoPath });
  const codes = async () => (await read()).warnings.map(({ code }) => code).filter((code) => code.startsWith("model"));
  mkdirSync(models, { recursive: true });
  writeFileSync(join(models, "bare.onnx"), "weights");
  expect(await codes()).toEqual(["model_unusable"]);
  expect(await read()).toMatchObject({
    capabilities: { vector: { model: false } },
    config: { toolTimeouts: { default: 5_000, tools: { build_index: 0 } } },
  });
  for (const file of ["model.onnx", "vocab.txt"]) {
    mkdirSync(join(models, "tiny"), { recursive: true });
    writeFileSync(join(models, "tiny", file), "");
  }
  const files = { "tiny/model.onnx": "1", "tiny/vocab.txt": "2" };
  await noteInstalled(models, "tiny", { sha256: "0", bytes: 0, files });
  // The package that runs models is not among ours.
  expect(await codes()).toEqual(["model_runtime_missing"]);
  expect(await house.call("index_status", { repoPath })).toMatchObject({
    model: { available: false, name: "tiny", hint: expect.stringContaining("onnxruntime-web") },
  });
});
