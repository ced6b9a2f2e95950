import { isPerson } from "../../contract/caller.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { Db } from "../../storage/db.ts";
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
  if (ask.name === undefined || ask.name === known.name) return known;
  await saveRepository(work.db, known, { name: ask.name, updatedAt: work.now });
  work.record(repositoryEvent.renamed(known.id, { name: ask.name }));
  return { ...known, name: ask.name, updatedAt: work.now };
}

/** What is registered is looked at: off this machine that is for people to decide (RL5). */
const mayRegister = ({ isOpen = false, caller }: Work): boolean => !isOpen || isPerson(caller);

export async function findRepository(db: Db, path: string): Promise<Repository | undefined> {
  return findRepositoryByPath(db, normaliseRepositoryPath(path));
}

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
