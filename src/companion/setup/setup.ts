import { existsSync, rmdirSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import type { Client, ClientName, Place } from "../clients/client.ts";
import { clients } from "../clients/clients.ts";
import { makeFolders, readBytes, writeBytes } from "../files.ts";
import { type Companion, inboxOf } from "../places.ts";
import { forgetRepo, isSetUp, listRepos, registerRepo } from "../repos.ts";
import { copyAt } from "../repository.ts";
import { shimsOf } from "../shims.ts";
import { applySteps } from "./apply.ts";
import { type Manifest, readManifest, writeManifest } from "./manifest.ts";
import { holdsOurs, planSteps, type Step } from "./plan.ts";

interface SetupAsk {
  readonly companion: Companion;
  readonly place: Place;
  readonly homeDir: string;
  /** Undefined for those that are found; Claude Code's files belong to the repository and always count as found. */
  readonly names: readonly ClientName[] | undefined;
  readonly isRemoval: boolean;
}

export interface SetupPlan {
  readonly ask: SetupAsk;
  readonly clients: readonly Client[];
  readonly steps: readonly Step[];
  readonly manifest: Manifest;
  /** Files of the account that are missing or of another installation. */
  readonly staleShims: readonly string[];
}

export function planSetup(ask: SetupAsk): SetupPlan {
  const { companion, place, homeDir, isRemoval } = ask;
  const manifest = readManifest(companion);
  const chosen = clients.filter((client) => isWanted(client, ask, manifest));
  const all = planSteps({ companion, place, clients: chosen, manifest, isRemoval });
  const isShared =
    listOthers(companion, place.repository).length > 0 ||
    Object.entries(manifest).some(
      ([file, { repository }]) => repository !== place.repository && isInside(repository, file),
    );
  // What all repositories of an account use goes with the last of them.
  const keepsShared = isRemoval && ask.names === undefined && isShared;
  return {
    ask,
    clients: chosen,
    steps: keepsShared ? all.filter(({ part }) => isInside(place.repository, part.file)) : all,
    manifest,
    staleShims: isRemoval ? [] : shimsOf(companion, homeDir).flatMap((shim) => (isWritten(shim) ? [] : [shim.file])),
  };
}

/** A clone whose configuration was committed is in no manifest; agents at work in it have registered it. */
const listOthers = (companion: Companion, repository: string) =>
  listRepos(companion).filter(({ path }) => path !== repository && existsSync(path));

/**
 * Clients that are set up here, whoever wrote their files: a clone or a worktree brings along those of its repository.
 * Those of the account do nothing in a repository that nobody has set up.
 */
export function listSetUp({ companion, place }: Pick<SetupAsk, "companion" | "place">): Client[] {
  const manifest = readManifest(companion);
  const isKnown = isSetUp(companion, copyAt(place.repository));
  const steps = planSteps({ companion, place, clients, manifest, isRemoval: false });
  return clients.filter((client) =>
    steps.some(
      (step) =>
        step.client === client &&
        (Object.hasOwn(manifest, step.part.file) || holdsOurs(step)) &&
        (isKnown || isInside(place.repository, step.part.file)),
    ),
  );
}

function isWanted(client: Client, { names, place, isRemoval }: SetupAsk, manifest: Manifest): boolean {
  if (names !== undefined) return names.includes(client.name);
  if (isRemoval && client.parts(place).some(({ file }) => Object.hasOwn(manifest, file))) return true;
  return client.name === "claude-code" || client.isFound(place);
}

const isInside = (folder: string, file: string): boolean => !relative(folder, file).startsWith("..");

const isWritten = ({ file, text }: { file: string; text: string }): boolean =>
  readBytes(file)?.toString("utf8") === text;

export function applySetup(plan: SetupPlan): void {
  if (plan.ask.isRemoval) remove(plan);
  else install(plan);
}

function install({ ask, steps, manifest }: SetupPlan): void {
  const { companion, place } = ask;
  makeFolders(companion.dir, 0o700);
  writeShims(ask);
  makeInbox(place.repository);
  registerRepo(companion, {
    path: place.repository,
    ...(place.baseUrl === undefined ? {} : { base_url: place.baseUrl }),
  });
  applySteps(companion, steps, { manifest, repository: place.repository });
}

function writeShims({ companion, homeDir }: Pick<SetupAsk, "companion" | "homeDir">): void {
  makeFolders(companion.binDir, 0o700);
  for (const { file, text } of shimsOf(companion, homeDir)) writeBytes(file, text, 0o755);
}

/** Reports in it are of this machine and nobody's history. */
function makeInbox(repository: string): void {
  const inbox = inboxOf(repository);
  makeFolders(inbox);
  const ignored = join(inbox, "..", ".gitignore");
  if (!existsSync(ignored)) writeBytes(ignored, "*\n");
}

function remove({ ask, steps, manifest, clients: chosen }: SetupPlan): void {
  const { companion, place } = ask;
  const left = applySteps(companion, steps, { manifest, repository: place.repository });
  // Somebody else has deleted what it was about.
  const gone = new Set(steps.filter(({ action }) => action === "none").map(({ part }) => part.file));
  const files = Object.fromEntries(Object.entries(left).filter(([file]) => !gone.has(file)));
  writeManifest(companion, files);
  const isWhole = ask.names === undefined || chosen.length === clients.length;
  const isDone = !Object.values(files).some(({ repository }) => repository === place.repository);
  if (!isWhole && !isDone) return;
  removeInbox(place.repository);
  forgetRepo(companion, place.repository);
  if (Object.keys(files).length > 0 || listOthers(companion, place.repository).length > 0) return;
  const { binDir, reposFile, sessionsDir, telemetryDir, journalFile, toldFile } = companion;
  for (const path of [binDir, reposFile, sessionsDir, telemetryDir, journalFile, toldFile]) {
    rmSync(path, { recursive: true, force: true });
  }
  removeIfEmpty(companion.dir);
}

/** Reports that nobody has sent yet stay. */
function removeInbox(repository: string): void {
  const inbox = inboxOf(repository);
  if (!removeIfEmpty(inbox)) return;
  rmSync(join(inbox, "..", ".gitignore"), { force: true });
  removeIfEmpty(join(inbox, ".."));
}

function removeIfEmpty(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch {
    return !existsSync(folder);
  }
}
