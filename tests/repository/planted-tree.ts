import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

export const repository = resolve(import.meta.dirname, "../..");

/** A folder with the given files, and a function that removes it. */
export function plantTree(files: Readonly<Record<string, string>> = {}): { root: string; remove: () => void } {
  const root = mkdtempSync(join(tmpdir(), "crewdeck-tree-"));
  addFiles(root, files);
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) };
}

export function addFiles(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

export function copyFromRepository(root: string, paths: readonly string[]): void {
  for (const path of paths) {
    if (existsSync(join(repository, path))) cpSync(join(repository, path), join(root, path), { recursive: true });
  }
}

/** The installed packages, each as a link: an npm that cleans up in the tree removes links, never our packages. */
export function linkPackages(root: string): void {
  const from = join(repository, "node_modules");
  const to = join(root, "node_modules");
  for (const name of readdirSync(from).filter((entry) => !entry.startsWith("."))) {
    if (!name.startsWith("@")) linkPackage(name);
    else for (const scoped of readdirSync(join(from, name))) linkPackage(`${name}/${scoped}`);
  }

  function linkPackage(name: string): void {
    mkdirSync(dirname(join(to, name)), { recursive: true });
    symlinkSync(join(from, name), join(to, name));
  }
}

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a script of the repository, or of a tree that has its own copy of them, to its end. */
export function runScript(
  script: string,
  args: readonly string[] = [],
  options: { root?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<Ended> {
  const root = options.root ?? repository;
  return new Promise((settle) => {
    const settings = { cwd: root, env: { ...process.env, ...options.env }, maxBuffer: 64 * 1024 * 1024 };
    execFile(process.execPath, [join(root, "scripts", script), ...args], settings, (error, stdout, stderr) => {
      settle({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr });
    });
  });
}

export const lastLine = (text: string): string => text.trimEnd().split("\n").at(-1) ?? "";
