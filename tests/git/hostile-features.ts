import { execFileSync } from "node:child_process";
import { appendFileSync, chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gitBytes, writeIn } from "./scratch.ts";

/** A repository in which something waits to be run. */
export interface Trap {
  readonly path: string;
  /** The program that leaves a trace. */
  readonly command: string;
  git(...args: string[]): void;
  set(key: string, value: string): void;
  attribute(line: string | Buffer): void;
}

interface Feature {
  plant(trap: Trap): void;
  /** What plain git does there so that the program runs: without it nothing would be shown. */
  spring(trap: Trap): void;
}

/** Every file of these repositories, each in the hands of another feature. */
export const trapFiles: Readonly<Record<string, string>> = Object.fromEntries(
  ["txt", "pipe", "lfs", "tree", "branch", "byte", "own", "home", "diff", "conv", "merge"].map((end) => [
    `a.${end}`,
    `${end}\n`,
  ]),
);

const again = ({ path, git }: Trap, name: string): void => {
  rmSync(join(path, name));
  git("checkout", "-q", "--", name);
};

const dirty = ({ path }: Trap, name: string): void => writeIn(path, name, "changed\n");

const included = ({ path, git, command, set }: Trap, condition: string, filter: string): void => {
  const file = join(path, ".git", `included-${filter}`);
  git("config", "--file", file, `filter.${filter}.smudge`, command);
  git("config", "--file", file, `filter.${filter}.clean`, command);
  set(`includeIf.${condition}.path`, file);
};

/** By feature of git: how a repository has a program run, one feature at a time. */
export const features: Readonly<Record<string, Feature>> = {
  // First, because git works there to plant them.
  "a filter and a monitor of a repository inside": {
    plant(trap) {
      const within = join(trap.path, "within");
      gitBytes(trap.path, "init", "-q", "within");
      writeIn(within, "a.txt", "clean\n");
      gitBytes(within, "add", ".");
      gitBytes(within, "commit", "-qm", "within");
      trap.git("add", "within");
      trap.git("commit", "-qm", "within");
      gitBytes(within, "config", "core.fsmonitor", trap.command);
      gitBytes(within, "config", "filter.within.clean", trap.command);
      writeFileSync(join(within, ".git", "info", "attributes"), "* filter=within\n");
    },
    spring: (trap) => {
      dirty(trap, "within/a.txt");
      trap.git("status");
    },
  },
  "a submodule's update": {
    plant(trap) {
      trap.set("submodule.lib.url", trap.path);
      trap.set("submodule.lib.active", "true");
      trap.set("submodule.lib.update", `!${trap.command}`);
      writeIn(trap.path, ".gitmodules", '[submodule "lib"]\n\tpath = lib\n\turl = ./\n');
      trap.git("update-index", "--add", "--cacheinfo", `160000,${headOf(trap)},lib`);
    },
    spring(trap) {
      trap.git("submodule", "update", "--init", "lib");
      dirty(trap, "lib/a.txt");
      trap.git("-C", "lib", "checkout", "-q", "--orphan", "other");
      trap.git("-C", "lib", "commit", "-q", "--allow-empty", "-m", "other");
      trap.git("submodule", "update", "lib");
    },
  },
  "a clean filter": {
    plant(trap) {
      trap.set("filter.evil.clean", trap.command);
      trap.attribute("*.txt filter=evil");
    },
    spring(trap) {
      dirty(trap, "a.txt");
      trap.git("add", "a.txt");
    },
  },
  "a filter process": {
    plant(trap) {
      trap.set("filter.pipe.process", trap.command);
      trap.attribute("*.pipe filter=pipe");
    },
    spring: (trap) => again(trap, "a.pipe"),
  },
  "large file storage": {
    plant(trap) {
      trap.set("filter.lfs.smudge", `${trap.command} smudge -- %f`);
      trap.set("filter.lfs.required", "true");
      trap.attribute("*.lfs filter=lfs diff=lfs merge=lfs -text");
    },
    spring: (trap) => again(trap, "a.lfs"),
  },
  "a filter for worktrees alone": {
    plant(trap) {
      included(trap, "gitdir:**/worktrees/**", "tree");
      trap.attribute("*.tree filter=tree");
    },
    spring: (trap) => trap.git("worktree", "add", "-q", "--detach", `${trap.path}-else`),
  },
  "a filter for one branch alone": {
    plant(trap) {
      included(trap, "onbranch:wor**", "branch");
      trap.attribute("*.branch filter=branch");
    },
    spring(trap) {
      trap.git("checkout", "-q", "-B", "work");
      again(trap, "a.branch");
    },
  },
  "a filter whose name is no text": {
    plant(trap) {
      appendFileSync(
        join(trap.path, ".git", "config"),
        Buffer.from(`[filter "b\xffte"]\n\tsmudge = ${trap.command}\n\tclean = ${trap.command}\n`, "latin1"),
      );
      trap.attribute(Buffer.from("*.byte filter=b\xffte", "latin1"));
    },
    spring: (trap) => again(trap, "a.byte"),
  },
  "a filter of a worktree's own configuration": {
    plant(trap) {
      trap.set("extensions.worktreeConfig", "true");
      trap.git("config", "--worktree", "filter.own.smudge", trap.command);
      trap.attribute("*.own filter=own");
    },
    spring: (trap) => again(trap, "a.own"),
  },
  "a monitor of files": {
    plant: (trap) => trap.set("core.fsmonitor", trap.command),
    spring: (trap) => trap.git("status"),
  },
  "hooks in the usual folder": {
    plant: (trap) => plantHooks(trap, join(trap.path, ".git", "hooks")),
    spring: (trap) => trap.git("update-ref", "refs/heads/sprung", "HEAD"),
  },
  "hooks in a folder of its choice": {
    plant(trap) {
      plantHooks(trap, join(trap.path, ".git", "more"));
      trap.set("core.hooksPath", join(trap.path, ".git", "more"));
    },
    spring: (trap) => trap.git("update-ref", "refs/heads/sprung", "HEAD"),
  },
  "an external diff": {
    plant(trap) {
      trap.set("diff.evil.command", trap.command);
      trap.attribute("*.diff diff=evil");
    },
    spring(trap) {
      dirty(trap, "a.diff");
      trap.git("diff", "a.diff");
    },
  },
  "an external diff for everything": {
    plant: (trap) => trap.set("diff.external", trap.command),
    spring(trap) {
      dirty(trap, "a.diff");
      trap.git("diff", "a.diff");
    },
  },
  "a text conversion": {
    plant(trap) {
      trap.set("diff.conv.textconv", trap.command);
      trap.attribute("*.conv diff=conv");
    },
    spring(trap) {
      dirty(trap, "a.conv");
      trap.git("diff", "a.conv");
    },
  },
  "a merge driver": {
    plant(trap) {
      trap.set("merge.evil.driver", `${trap.command} %O %A %B`);
      trap.attribute("*.merge merge=evil");
    },
    spring(trap) {
      trap.git("checkout", "-q", "-b", "side");
      dirty(trap, "a.merge");
      trap.git("commit", "-qam", "side");
      trap.git("checkout", "-q", "-");
      writeIn(trap.path, "a.merge", "other\n");
      trap.git("commit", "-qam", "main");
      trap.git("merge", "-q", "--no-edit", "side");
    },
  },
  "a signer": {
    plant(trap) {
      trap.set("gpg.program", trap.command);
      trap.set("commit.gpgSign", "true");
      trap.set("log.showSignature", "true");
    },
    spring: (trap) => trap.git("commit", "-q", "--allow-empty", "-m", "signed"),
  },
  "an editor": {
    plant: (trap) => trap.set("core.editor", trap.command),
    spring: (trap) => trap.git("commit", "-q", "--allow-empty"),
  },
  "a credential helper": {
    plant: (trap) => trap.set("credential.helper", trap.command),
    spring({ path }) {
      const input = "protocol=https\nhost=example.com\n\n";
      execFileSync("git", ["-c", "core.askPass=true", "credential", "fill"], { cwd: path, input });
    },
  },
  "an alias": {
    plant: (trap) => trap.set("alias.sprung", `!${trap.command}`),
    spring: (trap) => trap.git("sprung"),
  },
  "a promisor remote": {
    plant(trap) {
      trap.set("core.repositoryFormatVersion", "1");
      trap.set("extensions.partialClone", "origin");
      trap.set("remote.origin.url", trap.path);
      trap.set("remote.origin.promisor", "true");
      trap.set("remote.origin.uploadpack", `${trap.command} < /dev/null; false`);
      trap.set("protocol.file.allow", "always");
    },
    spring: (trap) => trap.git("cat-file", "-p", missing),
  },
};

/** The name of nothing that any repository has. */
export const missing = "1".repeat(40);

const headOf = ({ path }: Trap): string => gitBytes(path, "rev-parse", "HEAD").toString().trim();

function plantHooks({ command }: Trap, folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const name of ["reference-transaction", "post-index-change", "post-checkout", "pre-commit", "post-commit"]) {
    writeFileSync(join(folder, name), `#!/bin/sh\nexec "${command}" < /dev/null\n`);
    chmodSync(join(folder, name), 0o755);
  }
}
