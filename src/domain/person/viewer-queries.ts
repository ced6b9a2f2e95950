import type { Caller } from "../../contract/caller.ts";
import type { Db } from "../../storage/db.ts";
import { listDevelopers } from "./queries.ts";
import { Directory, type Viewer } from "./viewer-model.ts";

/** The caller as a reader of what everyone does. Read once for an answer, which it then holds for. */
export async function readViewer({ db, caller }: { readonly db: Db; readonly caller: Caller }): Promise<Viewer> {
  return (await readDirectory(db)).viewer(caller.developerId);
}

/** Everybody as a reader, for what is written to several of them at once. */
export const readDirectory = async (db: Db): Promise<Directory> => new Directory(await listDevelopers(db));
