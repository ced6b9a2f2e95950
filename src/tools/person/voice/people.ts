import { z } from "zod";
import { agentTypes } from "../../../contract/caller.ts";
import { DeveloperId, TokenId } from "../../../contract/ids.ts";
import { type Developer, Handle, type Token } from "../../../domain/person/model.ts";
import { timeOf, timeOrNull } from "../../time.ts";

/** How people and tokens are written. Never a token's text or hash. */

export const Name = z.string().trim().min(1).max(200).describe("The person's name.");
export const Email = z.email().max(320).describe("The person's e-mail address.");

export const DeveloperRecord = z.object({
  id: DeveloperId,
  handle: Handle,
  name: z.string(),
  email: z.string().nullable(),
  private: z.boolean(),
  role: z.enum(["owner", "member"]),
  created_at: z.string(),
});

export const developerRecord = (developer: Developer): z.input<typeof DeveloperRecord> => ({
  id: developer.id,
  handle: developer.handle,
  name: developer.name,
  email: developer.email,
  private: developer.isPrivate,
  role: developer.role,
  created_at: timeOf(developer.createdAt),
});

export const TokenRecord = z.object({
  id: TokenId,
  developer: z.string(),
  label: z.string(),
  agent_type: z.enum(agentTypes).nullable(),
  browser: z.boolean().describe("A browser's sign-in to the deck: no program can use it."),
  created_at: z.string(),
  revoked_at: z.string().nullable(),
  expires_at: z.string().nullable().describe("Null if it never does."),
  last_used_at: z.string().nullable().describe("To about a minute; null if it never was."),
});

export const tokenRecord = (token: Token, handle: string): z.input<typeof TokenRecord> => ({
  id: token.id,
  developer: handle,
  label: token.label,
  agent_type: token.agentType,
  browser: token.pageLock !== null,
  created_at: timeOf(token.createdAt),
  revoked_at: timeOrNull(token.revokedAt),
  expires_at: timeOrNull(token.expiresAt),
  last_used_at: timeOrNull(token.lastUsedAt),
});
