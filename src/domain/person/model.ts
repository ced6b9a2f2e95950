import { z } from "zod";
import { agentTypes } from "../../contract/caller.ts";
import { DeveloperId, InstanceId, TeamId, TokenId } from "../../contract/ids.ts";
import { developerRoles } from "../../contract/words.ts";

export const Handle = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/, "lower-case letters, digits and hyphens, at most 40")
  .describe("A developer's short unique name.");

export const Developer = z.object({
  id: DeveloperId,
  teamId: TeamId,
  handle: Handle,
  name: z.string(),
  email: z.string().nullable(),
  isPrivate: z.boolean(),
  role: z.enum(developerRoles),
  createdAt: z.number(),
  updatedAt: z.number(),
  version: z.number(),
});
export type Developer = z.infer<typeof Developer>;

export const Token = z.object({
  id: TokenId,
  developerId: DeveloperId,
  hash: z.string(),
  label: z.string(),
  agentType: z.enum(agentTypes).nullable(),
  /** The instance that alone may use it (IN5). */
  instanceId: InstanceId.nullable(),
  createdAt: z.number(),
  revokedAt: z.number().nullable(),
  expiresAt: z.number().nullable(),
  lastUsedAt: z.number().nullable(),
  /** Not null for what is in a deck's cookie; see `deck-rules.ts`. */
  pageLock: z.string().nullable(),
  version: z.number(),
});
export type Token = z.infer<typeof Token>;

/** How a private developer is called where they are not themselves (ID22). */
export const privateName = "@private";
