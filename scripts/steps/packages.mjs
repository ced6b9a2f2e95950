import { createHash } from "node:crypto";
import { existsSync, lstatSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run, say } from "./run.mjs";

/**
 * Makes sure that node_modules is what the lockfile says. A stamp inside it holds the hash of the lockfile it was
 * made from, so that a pull which changes the lockfile is noticed and an unchanged one costs nothing.
 */
export async function ensurePackages(root) {
  const lockfile = join(root, "package-lock.json");
  const stampFile = join(root, "node_modules", ".crewdeck-lockfile");
  const hash = createHash("sha256").update(readFileSync(lockfile)).digest("hex");
  const isStamped = existsSync(stampFile) && readFileSync(stampFile, "utf8") === hash;
  if (isStamped || wasInstalledByHand(root, lockfile)) {
    if (!isLinked(root)) writeFileSync(stampFile, hash);
    return true;
  }
  if (isLinked(root)) {
    say("node_modules is a link to packages of another lockfile. Remove the link, or run npm ci where it leads.");
    return false;
  }
  say("installing packages…");
  const [command, ...args] = npm();
  const { code } = await run(command, [...args, "ci", "--include=dev"], { cwd: root });
  if (code !== 0) {
    say("The packages could not be installed; npm says why above. Is the registry reachable?");
    return false;
  }
  writeFileSync(stampFile, hash);
  return true;
}

/** npm would empty the folder behind the link, which somebody else is working with. */
const isLinked = (root) => lstatSync(join(root, "node_modules"), { throwIfNoEntry: false })?.isSymbolicLink() ?? false;

/** npm writes its own copy of the lockfile last of all, so one that is newer than ours is a finished installation. */
function wasInstalledByHand(root, lockfile) {
  const copy = join(root, "node_modules", ".package-lock.json");
  return existsSync(copy) && statSync(copy).mtimeMs >= statSync(lockfile).mtimeMs;
}

/** The npm that started us, if one did; it can be run without a shell on every platform. */
const npm = () => (process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ["npm"]);
