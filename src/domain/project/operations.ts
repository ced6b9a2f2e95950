import { isPerson } from "../../contract/caller.ts";
import { Refusal } from "../../contract/refusal.ts";
import { readViewer } from "../person/viewer-queries.ts";
import type { Work } from "../work.ts";
import { repositoryEvent } from "./events.ts";
import type { Repository } from "./model.ts";
import { findRepositoryByPath } from "./queries.ts";
import { checkIsNotTooWide, isAbsolutePath, nameOfPath, normaliseRepositoryPath } from "./rules.ts";
import { insertRepository, saveRepository } from "./store.ts";

export { checkIsNotTooWide, normaliseRepositoryPath };

/** Registers a repository once; the same path again answers the same record, under its new name if one is given. */
export async function registerRepository(
  work: Work,
  ask: { path: string; name: string | undefined },
): Promise<Repository> {
  const path = normaliseRepositoryPath(ask.path);
  checkIsNotTooWide(path);
  if (!mayRegister(work)) {
    throw new Refusal(
      "FORBIDDEN",
      "This server is open to other machines, so only people register repositories.",
      "Ask a person to register it.",
    );
  }
  const known = await findRepositoryByPath(work.db, path);
  if (!known) {
    const repository: Repository = {
      id: work.newId("repository"),
      developerId: work.caller.developerId,
      path,
      name: ask.name ?? nameOfPath(path),
      createdAt: work.now,
      updatedAt: work.now,
      version: 1,
    };
    await insertRepository(work.db, repository);
    work.record(repositoryEvent.registered(repository.id, { name: repository.name }));
    return repository;
  }
  // What somebody private registered becomes known by being registered by others, under their own name for it.
  const isUnseen = !(await seesRepository(work, known));
  const name = ask.name ?? (isUnseen ? nameOfPath(path) : known.name);
  const developerId = isUnseen ? work.caller.developerId : known.developerId;
  if (name === known.name && !isUnseen) return known;
  await saveRepository(work.db, known, { name, developerId, updatedAt: work.now });
  work.record(repositoryEvent.renamed(known.id, { name }));
  return { ...known, name, developerId, updatedAt: work.now };
}

/** What is registered is looked at: off this machine that is for people to decide (RL5). */
const mayRegister = ({ isOpen = false, caller }: Work): boolean => !isOpen || isPerson(caller);

/** A repository by its path; what somebody private registered is unknown to others (ID25). */
export async function findRepository(work: Pick<Work, "db" | "caller">, path: string): Promise<Repository | undefined> {
  const found = await findRepositoryByPath(work.db, normaliseRepositoryPath(path));
  return found && (await seesRepository(work, found)) ? found : undefined;
}

const seesRepository = async (work: Pick<Work, "db" | "caller">, { developerId }: Repository): Promise<boolean> =>
  developerId === null || (await readViewer(work)).knows({ developerId });

/**
 * Makes known what a machine watches, as far as it is named by path. Folders of a private developer would name them to
 * everyone, so theirs stay unknown (SN8). Answers how many were named.
 */
export async function registerLocalRepositories(work: Work, repos: readonly string[]): Promise<number> {
  const distinct = [...new Set(repos)];
  if (work.caller.isPrivate || !mayRegister(work)) return distinct.length;
  for (const path of distinct.filter(isAbsolutePath)) await registerRepository(work, { path, name: undefined });
  return distinct.length;
}
