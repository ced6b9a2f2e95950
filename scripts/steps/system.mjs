import { accessSync, constants, existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { run, say } from "./run.mjs";

/** What the tests drive for real, under the names of its Debian packages. */
const programs = [
  { name: "git", isPresent: () => isOnPath("git") },
  { name: "tmux", isPresent: () => isOnPath("tmux") },
  { name: "chromium", isPresent: () => isOnPath("chromium") },
  { name: "chromium-headless-shell", isPresent: () => isOnPath("chromium-headless-shell") },
  { name: "strace", isPresent: () => isOnPath("strace") },
  { name: "postgresql", isPresent: hasPostgresServer },
];

const listMissing = () => programs.filter((program) => !program.isPresent()).map((program) => program.name);

/** Installs missing programs where that is permitted; otherwise says which packages to install. */
export async function ensurePrograms() {
  const missing = listMissing();
  if (missing.length === 0) return true;
  if (process.getuid?.() === 0 && isOnPath("apt-get")) {
    say(`installing ${missing.join(", ")}…`);
    await installDebianPackages(missing);
  }
  const stillMissing = listMissing();
  if (stillMissing.length === 0) return true;
  say(`The tests need these Debian packages, which are not installed: ${stillMissing.join(" ")}`);
  say(`Install them, for example with: sudo apt-get install ${stillMissing.join(" ")}`);
  return false;
}

/** The package lists are fetched only when there are none yet or when the ones there are no longer serve. */
async function installDebianPackages(names) {
  const apt = (...args) => run("apt-get", args, { env: { DEBIAN_FRONTEND: "noninteractive" } });
  const install = () => apt("install", "--yes", "--no-install-recommends", ...names);
  if (hasPackageLists() && (await install()).code === 0) return;
  if ((await apt("update")).code === 0) await install();
}

function hasPackageLists() {
  const lists = "/var/lib/apt/lists";
  return existsSync(lists) && readdirSync(lists).some((name) => name.includes("_Packages"));
}

function hasPostgresServer() {
  const versions = "/usr/lib/postgresql";
  return (
    existsSync(versions) && readdirSync(versions).some((name) => existsSync(join(versions, name, "bin", "initdb")))
  );
}

function isOnPath(program) {
  return (process.env.PATH ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
