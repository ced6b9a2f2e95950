import { execFileSync } from "node:child_process";
import { chmodSync, lstatSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { readBytes, writeBytes } from "../files.ts";
import { deniedCode } from "../hook/denied-code.ts";
import { findRepository } from "../repository.ts";

const mark = "# Written by `crewdeck setup --git-hook`";

/** A hook that was there before runs first, and its no is a no. */
const text = `#!/bin/sh
${mark}; \`crewdeck setup --remove\` removes it.
before="$(dirname "$0")/pre-commit.before-crewdeck"
if [ -x "$before" ]; then "$before" "$@" || exit $?; fi
h="$HOME/.covibe/bin/hook"; [ -x "$h" ] || exit 0
"$h" git; [ $? -ne ${deniedCode} ] || exit 1
`;

export interface GitHook {
  readonly file: string;
  /** `chain` keeps a foreign hook and calls it first. */
  readonly action: "create" | "chain" | "delete" | "none" | "refused";
  readonly reason: string | null;
}

/** What is to happen to the repository's pre-commit hook; undefined where there is no repository. */
export function planGitHook(repository: string, isRemoval: boolean): GitHook | undefined {
  const found = findRepository(repository);
  const folder = found && hooksFolder(found.root);
  if (found === undefined || folder === undefined) return undefined;
  const file = join(folder, "pre-commit");
  const before = `${file}.before-crewdeck`;
  if (relative(found.commonDir, folder).startsWith("..")) {
    const reason = `git takes hooks from ${folder} (core.hooksPath); add this to its pre-commit: "$HOME/.covibe/bin/hook" git; [ $? -ne ${deniedCode} ] || exit 1`;
    return { file, action: isRemoval ? "none" : "refused", reason };
  }
  const isOwn = readBytes(file)?.toString("utf8").includes(mark) === true;
  if (isRemoval) return { file, action: isOwn || (!exists(file) && exists(before)) ? "delete" : "none", reason: null };
  if (isOwn) return { file, action: "none", reason: null };
  if (exists(file) && exists(before)) return { file, action: "refused", reason: `${before} is in the way` };
  return { file, action: exists(file) || exists(before) ? "chain" : "create", reason: null };
}

/** Renamed and not copied: a foreign hook keeps its bytes, its mode and its links. */
export function applyGitHook({ file, action }: GitHook): void {
  const before = `${file}.before-crewdeck`;
  if (action === "delete") {
    if (exists(before)) renameSync(before, file);
    else rmSync(file, { force: true });
  } else if (action === "create" || action === "chain") {
    if (exists(file)) renameSync(file, before);
    mkdirSync(join(file, ".."), { recursive: true });
    writeBytes(file, text, 0o755);
    chmodSync(file, 0o755);
  }
}

const exists = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

/** As git itself sees it, whatever its configuration says. */
function hooksFolder(root: string): string | undefined {
  try {
    const words = ["rev-parse", "--git-path", "hooks"];
    const said = execFileSync("git", words, {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      timeout: 10_000,
    });
    return resolve(root, said.trim());
  } catch {
    return undefined;
  }
}
