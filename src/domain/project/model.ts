import { z } from "zod";
import { RepositoryId } from "../../contract/ids.ts";

export const Repository = z.object({
  id: RepositoryId,
  path: z.string(),
  name: z.string(),
  createdAt: z.number(),
  updatedAt: z.number(),
  version: z.number(),
});
export type Repository = z.infer<typeof Repository>;
