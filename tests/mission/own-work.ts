import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestRepository, tempDir } from "./repository.ts";

/** Another working tree of the same repository, or another clone, where somebody else works. */
export function elsewhere(dir: string) {
  const git = (...args: string[]): string =>
    execFileSync("git", ["-c", "user.name=O", "-c", "user.email=o@example.com", ...args], {
      cwd: dir,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
  return {
    dir,
    git,
    put(name: string, text = `${name}\n`) {
      writeFileSync(join(dir, name), text);
      git("add", "-A");
      git("commit", "-q", "-m", name);
    },
  };
}

export function withMainElsewhere(r: TestRepository) {
  const dir = join(tempDir(), "main");
  r.git("worktree", "add", "-q", "-f", dir, "main");
  return elsewhere(dir);
}

/** A file whose ends are far enough apart that two can change it without a conflict. */
export const lines = (top: string, bottom: string): string => `${top}\n${"-\n".repeat(12)}${bottom}\n`;
