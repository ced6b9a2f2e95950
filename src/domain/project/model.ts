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
