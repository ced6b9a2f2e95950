import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { ClientName } from "../../src/companion/clients/client.ts";
import { type Companion, companionAt } from "../../src/companion/places.ts";
import { applySetup, planSetup, type SetupPlan } from "../../src/companion/setup/setup.ts";
import { clientNames } from "../../src/contract/words.ts";

/** A person's folder and a repository in it, with nothing but what a test puts there. */
export interface Machine {
  readonly userHome: string;
  readonly repository: string;
  readonly companion: Companion;
  write(path: string, content: string | Buffer): void;
  read(path: string): string;
  /** Every file and folder with its content. */
  list(): Record<string, string>;
  plan(ask?: { names?: readonly ClientName[] | "found"; baseUrl?: string | undefined; isRemoval?: boolean }): SetupPlan;
  setUp(ask?: { names?: readonly ClientName[]; baseUrl?: string }): SetupPlan;
  remove(ask?: { names?: readonly ClientName[] | "found" }): SetupPlan;
}

export function openMachine(): Machine {
  const root = mkdtempSync(join(tmpdir(), "crewdeck-machine-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return machineAt(root);
}

export function machineAt(root: string, name = "shop"): Machine {
  const [userHome, repository] = [join(root, "home"), join(root, "home", name)];
  mkdirSync(join(repository, ".git"), { recursive: true });
  writeFileSync(join(repository, ".git", "HEAD"), "ref: refs/heads/main\n");
  const companion = companionAt(userHome);
  const plan: Machine["plan"] = ({ names = clientNames, baseUrl, isRemoval = false } = {}) =>
    planSetup({
      companion,
      place: { repository, userHome, env: {}, baseUrl },
      homeDir: join(userHome, "crewdeck-home"),
      names: names === "found" ? undefined : names,
      isRemoval,
    });
  const run = (made: SetupPlan): SetupPlan => {
    applySetup(made);
    return made;
  };
  return {
    userHome,
    repository,
    companion,
    write(path, content) {
      mkdirSync(dirname(join(userHome, path)), { recursive: true });
      writeFileSync(join(userHome, path), content);
    },
    read: (path) => readFileSync(join(userHome, path), "utf8"),
    list: () => listTree(userHome),
    plan,
    setUp: (ask = {}) => run(plan(ask)),
    remove: (ask = {}) => run(plan({ ...ask, isRemoval: true })),
  };
}

function listTree(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder, { withFileTypes: true, recursive: true })
      .map((entry): [string, string] => {
        const path = join(entry.parentPath, entry.name);
        return [path.slice(folder.length), entry.isDirectory() ? "folder" : readFileSync(path).toString("latin1")];
      })
      .sort(),
  );
}
