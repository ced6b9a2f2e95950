import { basename } from "node:path";
import { z } from "zod";
import { DeveloperId, RepositoryId } from "../../contract/ids.ts";

export const Repository = z.object({
  id: RepositoryId,
  /** Who registered it; null where that is not known any more. */
  developerId: DeveloperId.nullable(),
  path: z.string(),
  name: z.string(),
  createdAt: z.number(),
  updatedAt: z.number(),
  version: z.number(),
});
export type Repository = z.infer<typeof Repository>;

/** Whether somebody means this repository: people name one by its folder or by its name. */
export const isRepositoryNamed = (path: string, name: string | null): boolean =>
  name !== null && basename(name, ".git") === basename(path, ".git");
