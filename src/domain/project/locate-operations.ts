import { dirname } from "node:path";
import { nextStep } from "../../contract/next-step.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { Look } from "../port.ts";
import type { Located, ProjectPorts } from "./port.ts";
import { findRepositoryByPath } from "./queries.ts";

/**
 * The repository that a call is about: the folder it names, else the one its client works in, else the server's own.
 * Off this machine a caller learns nothing of a folder that nobody registered, not even whether it exists (RL3).
 */
export async function locateRepository(
  look: Pick<Look, "folder" | "ports" | "signal" | "read">,
  asked: string | undefined,
): Promise<Located> {
  const folder = asked ?? look.folder;
  const { project } = look.ports;
  const found = isPlainPath(folder) ? await project.locate(folder, look.signal) : "missing";
  if (!project.isLocal) {
    const isKnown = typeof found === "object" && (await isWithin(look, found));
    if (!isKnown) throw unregistered();
    return found;
  }
  if (found === "missing") throw missing();
  if (found === "none") throw outside();
  return found;
}

/**
 * Refuses a folder that the server must not look at. Open to other machines, it looks at registered repositories and
 * their worktrees, and at what lies in a registered folder that is no repository (RL4).
 */
export async function checkReach(
  look: Pick<Look, "signal" | "read"> & { readonly project: ProjectPorts },
  folder: string,
): Promise<void> {
  const { project } = look;
  if (project.isLocal) return;
  const found = isPlainPath(folder) ? await project.locate(folder, look.signal) : "missing";
  if (typeof found === "object" && (await isWithin(look, found))) return;
  const place = found === "none" ? project.withoutLinks(folder) : undefined;
  if (place !== undefined && (await liesInside(look, place))) return;
  throw unregistered();
}

/** Whether a folder is a registered one or lies in one. */
async function liesInside({ read }: Pick<Look, "read">, place: string): Promise<boolean> {
  return read(async (db) => {
    for (let at = place; ; at = dirname(at)) {
      if ((await findRepositoryByPath(db, at)) !== undefined) return true;
      if (dirname(at) === at) return false;
    }
  });
}

/** Registered, with everything that it is read from: else it could be the front of a repository that nobody registered. */
async function isWithin(look: Pick<Look, "read">, found: Located): Promise<boolean> {
  if (!(await isRegistered(look, found))) return false;
  for (const place of found.elsewhere) if (!(await liesInside(look, place))) return false;
  return true;
}

/** A relative path would depend on where the server was started. */
const isPlainPath = (path: string): boolean => /^(\/|[A-Za-z]:[\\/])/.test(path) && !/\p{Cc}/u.test(path);

const isRegistered = (look: Pick<Look, "read">, { root, main }: Located): Promise<boolean> =>
  look.read(async (db) =>
    [await findRepositoryByPath(db, root), await findRepositoryByPath(db, main)].some((one) => one !== undefined),
  );

const unregistered = (): Refusal =>
  new Refusal(
    "FORBIDDEN",
    "This server is open to other machines, so it only reads repositories that are registered.",
    nextStep("listRepositories"),
  );

const missing = (): Refusal =>
  new Refusal(
    "INVALID_REQUEST",
    "The server cannot read this repository's folder.",
    "Pass the absolute path of a folder on the server's machine as repoPath.",
  );

const outside = (): Refusal =>
  new Refusal(
    "INVALID_REQUEST",
    "This folder is not inside a git repository.",
    "Pass the path of a repository, or of a folder in one, as repoPath.",
  );
