import { appendFileSync, chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { git, makeFolder, type TestRepository } from "./scratch.ts";

/** Programs that leave a trace when somebody runs them. */
export class Canaries {
  readonly #folder = makeFolder("crewdeck-canary-");
  readonly #traces = join(this.#folder, "traces");

  constructor() {
    mkdirSync(this.#traces);
  }

  /** A command that leaves a trace under this name and passes its input on. */
  command(name: string): string {
    const file = join(this.#folder, `${name}.sh`);
    writeFileSync(file, `#!/bin/sh\ntouch "${join(this.#traces, name)}"\nexec cat\n`);
    chmodSync(file, 0o755);
    return file;
  }

  /** Which programs were run. */
  traces(): string[] {
    return readdirSync(this.#traces).sort();
  }

  clear(): void {
    for (const name of this.traces()) rmSync(join(this.#traces, name));
  }
}

const hooks = [
  "post-checkout",
  "post-index-change",
  "reference-transaction",
  "pre-commit",
  "post-commit",
  "pre-auto-gc",
  "post-rewrite",
  "update",
];

/** Everything by which a repository's configuration can run a program, as far as we have heard of it. */
export function makeHostile({ path }: TestRepository, canaries: Canaries): void {
  const set = (key: string, value: string): void => void git(path, "config", key, value);
  const settings: Record<string, string> = {
    "core.fsmonitor": "fsmonitor",
    "diff.external": "diff-external",
    "diff.evil.textconv": "diff-textconv",
    "diff.evil.command": "diff-command",
    "merge.evil.driver": "merge-driver",
    "core.sshCommand": "ssh",
    "core.pager": "pager",
    "pager.status": "pager-status",
    "core.editor": "editor",
    "sequence.editor": "sequence-editor",
    "core.askPass": "askpass",
    "core.gitProxy": "proxy",
    "core.alternateRefsCommand": "alternates",
    "credential.helper": "credential",
    "gpg.program": "gpg",
    "gpg.ssh.program": "gpg-ssh",
    "uploadpack.packObjectsHook": "pack-objects",
    "interactive.diffFilter": "diff-filter",
    "remote.origin.uploadpack": "uploadpack",
    "remote.origin.vcs": "vcs",
  };
  for (const [key, name] of Object.entries(settings)) set(key, canaries.command(name));
  for (const verb of ["status", "worktree", "update-index", "hash-object", "write-tree"]) {
    set(`alias.${verb}`, `!${canaries.command(`alias-${verb}`)}`);
  }
  set("commit.gpgSign", "true");
  set("log.showSignature", "true");
  set("submodule.lib.update", `!${canaries.command("submodule")}`);
  for (const [name, kind] of [
    ["evil", "clean"],
    ["evil", "smudge"],
    ["pipe", "process"],
    ['we=ird. "name', "clean"],
    ['we=ird. "name', "smudge"],
  ] as const) {
    set(`filter.${name}.${kind}`, canaries.command(`filter-${kind}-${name.length}`));
    set(`filter.${name}.required`, "true");
  }
  const included = join(path, ".git", "included");
  git(path, "config", "--file", included, "filter.included.smudge", canaries.command("filter-included"));
  set("include.path", included);
  for (const folder of [join(path, ".git", "hooks"), join(path, ".git", "more-hooks")]) {
    mkdirSync(folder, { recursive: true });
    for (const hook of hooks) {
      writeFileSync(join(folder, hook), `#!/bin/sh\nexec "${canaries.command(`hook-${hook}`)}" < /dev/null\n`);
      chmodSync(join(folder, hook), 0o755);
    }
  }
  set("core.hooksPath", join(path, ".git", "more-hooks"));
  git(path, "config", "extensions.worktreeConfig", "true");
  git(path, "config", "--worktree", "filter.own.smudge", canaries.command("filter-own"));
  appendFileSync(
    join(path, ".git", "info", "attributes"),
    [
      "* diff=evil merge=evil",
      "*.txt filter=evil",
      "*.pipe filter=pipe",
      '*.odd filter="we=ird. \\"name"',
      "*.inc filter=included",
      "*.own filter=own",
      "",
    ].join("\n"),
  );
}
