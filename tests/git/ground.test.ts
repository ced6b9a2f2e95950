import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkGround, isInside } from "../../src/adapters/git/ground.ts";
import { neighbourhoodOf, openRepository, type Repository } from "../../src/adapters/git/repository.ts";
import { installedGit } from "../../src/adapters/git/run.ts";
import { git, makeFolder, makeRepository, repositoryAt, type TestRepository } from "./scratch.ts";

interface Ground {
  readonly repository: TestRepository;
  readonly dataDir: string;
  check(path: string, branch?: string, baseBranch?: string): Promise<unknown>;
}

async function openGround(repository = makeRepository()): Promise<Ground> {
  const dataDir = makeFolder();
  const opened = await openRepository(installedGit, repository.path);
  return {
    repository,
    dataDir,
    check: (path, branch, baseBranch) =>
      checkGround(opened, { repositoryPath: repository.path, path, branch, baseBranch }, { dataDir }),
  };
}

const code = (wanted: string) => expect.objectContaining({ code: wanted });

describe("where a worktree may be", () => {
  test("[GT8] beside the repository and in the data folder, however deep", async () => {
    const { repository, dataDir, check } = await openGround();
    for (const path of [
      join(repository.around, "new"),
      `${repository.path}-worktrees/deep/er/new`,
      join(dataDir, "worktrees", "new"),
    ]) {
      await expect(check(path)).resolves.toEqual({ repositoryPath: repository.path, path });
    }
  });

  test("[GT8] nowhere else, and not where a name only begins alike", async () => {
    const { repository, dataDir, check } = await openGround();
    const places = [
      `${repository.around}-evil/new`,
      `${dataDir}-evil/new`,
      dirname(repository.around),
      repository.around,
      "/etc/new",
      "/new",
      dataDir,
    ];
    for (const path of places) await expect(check(path), path).rejects.toEqual(code("INVALID_INPUT"));
  });

  test("[GT9] not in .git, in the main folder, in a worktree or in another repository", async () => {
    const { repository, check } = await openGround();
    const linked = join(repository.around, "linked");
    git(repository.path, "worktree", "add", "-q", linked);
    const other = repositoryAt(join(repository.around, "other"), { "x.txt": "x" });
    mkdirSync(join(linked, "deep"));
    const places = [
      join(repository.path, ".git", "new"),
      join(repository.path, ".git", "worktrees", "new"),
      join(repository.around, ".GIT", "new"),
      join(repository.path, "new"),
      join(linked, "deep", "new"),
      join(other.path, "new"),
    ];
    for (const path of places) await expect(check(path), path).rejects.toEqual(code("INVALID_INPUT"));
  });

  test("[GT10] not over a file, a link or a folder that holds anything", async () => {
    const { repository, check } = await openGround();
    const at = (name: string): string => join(repository.around, name);
    writeFileSync(at("file"), "");
    symlinkSync(makeFolder(), at("link"));
    symlinkSync("/nowhere", at("dangling"));
    mkdirSync(at("full"));
    writeFileSync(join(at("full"), ".hidden"), "");
    mkdirSync(at("empty"));

    for (const name of ["file", "link", "dangling", "full"]) {
      await expect(check(at(name)), name).rejects.toEqual(code("CONFLICT"));
    }
    await expect(check(at("empty"))).resolves.toEqual({ repositoryPath: repository.path, path: at("empty") });
  });

  test("[GT11] a link on the way is followed before the place is judged", async () => {
    const { repository, check } = await openGround();
    const elsewhere = makeFolder();
    const real = join(repository.around, "real");
    mkdirSync(real);
    symlinkSync(elsewhere, join(repository.around, "out"));
    symlinkSync(real, join(repository.around, "in"));
    symlinkSync(join(repository.path, ".git"), join(repository.around, "git"));
    symlinkSync("/nowhere/at/all", join(repository.around, "dangling"));

    await expect(check(join(repository.around, "in", "new"))).resolves.toMatchObject({ path: join(real, "new") });
    for (const name of ["out", "git", "dangling"]) {
      const path = join(repository.around, name, "new");
      await expect(check(path), name).rejects.toEqual(code("INVALID_INPUT"));
    }
  });

  test("[GT11] a repository that is reached through a link has its neighbourhood at both ends", async () => {
    const repository = makeRepository();
    const shortcut = join(makeFolder(), "shop");
    symlinkSync(repository.path, shortcut);
    const opened = await openRepository(installedGit, shortcut);
    const check = (path: string) => checkGround(opened, { repositoryPath: shortcut, path }, { dataDir: makeFolder() });

    await expect(check(`${shortcut}-worktrees/new`)).resolves.toEqual({
      repositoryPath: repository.path,
      path: `${shortcut}-worktrees/new`,
    });
    await expect(check(`${repository.path}-worktrees/new`)).resolves.toMatchObject({
      path: `${repository.path}-worktrees/new`,
    });
  });

  test("[GT12] a repository in the root of a disk opens no more than a folder of its own name", async () => {
    const opened = await openRepository(installedGit, makeRepository().path);
    const repository: Repository = { ...opened, path: "/app", neighbourhoods: [neighbourhoodOf("/app")] };
    const check = (path: string) => checkGround(repository, { repositoryPath: "/app", path }, { dataDir: "/data" });

    await expect(check("/app-worktrees/new")).resolves.toMatchObject({ path: "/app-worktrees/new" });
    await expect(check("/etc/new")).rejects.toEqual(code("INVALID_INPUT"));
    expect(neighbourhoodOf("/srv/app")).toBe("/srv");
  });

  test.each([
    { path: "/a/b", folder: "/a", expected: true },
    { path: "/a", folder: "/a", expected: false },
    { path: "/ab", folder: "/a", expected: false },
    { path: "/a/..b", folder: "/a", expected: true },
    { path: "/b", folder: "/a", expected: false },
  ])("[GT8] $path inside of $folder: $expected", ({ path, folder, expected }) => {
    expect(isInside(path, folder)).toBe(expected);
  });
});

describe("what is checked out", () => {
  test("[GT15, GT16] branches and bases", async () => {
    const { repository, check } = await openGround();
    git(repository.path, "branch", "free");
    const path = join(repository.around, "new");

    await expect(check(path, "free")).resolves.toBeDefined();
    await expect(check(path, "new", "free")).resolves.toBeDefined();
    await expect(check(path, "new")).resolves.toBeDefined();
    await expect(check(path, "main")).rejects.toEqual(code("CONFLICT"));
    await expect(check(path, "new", "nowhere")).rejects.toEqual(code("INVALID_INPUT"));
  });

  test("[GT16] a repository without a commit has no base", async () => {
    const around = makeFolder();
    mkdirSync(join(around, "bare"));
    git(join(around, "bare"), "init", "-q", "--bare");
    const opened = await openRepository(installedGit, join(around, "bare"));
    const ask = { repositoryPath: opened.path, path: join(around, "new"), branch: "new" };
    await expect(checkGround(opened, ask, { dataDir: around })).rejects.toEqual(code("INVALID_INPUT"));
  });
});
