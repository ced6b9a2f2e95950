import type { AgentType, Caller } from "../../contract/caller.ts";
import type { DeveloperId, InstanceId, TokenId } from "../../contract/ids.ts";
import { nextStep } from "../../contract/next-step.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { Db } from "../../storage/db.ts";
import { acceptDamage, type StoreVerification } from "../ledger/operations.ts";
import type { SystemWork, Work } from "../work.ts";
import { opensLock, type PageKey } from "./deck-rules.ts";
import { developerEvent, teamEvent, tokenEvent } from "./events.ts";
import type { Developer, Token } from "./model.ts";
import { findDeveloper, findDeveloperByHandle, findTeam, findToken, listDevelopers, listTokens } from "./queries.ts";
import { checkTokenRight, chooseLabel, isKnownTo, isLive, suggestHandle } from "./rules.ts";
import { isSecretOf, makeToken, splitToken } from "./secret.ts";
import {
  insertDeveloper,
  insertTeam,
  insertToken,
  markTokenUsed,
  saveDeveloper,
  saveToken,
  shortenTokens,
} from "./store.ts";

export { checkTokenRight };

/** The developers the caller may know of. */
export async function listKnownDevelopers(work: Work): Promise<Developer[]> {
  return (await listDevelopers(work.db)).filter((developer) => isKnownTo(developer, work.caller));
}

export async function getKnownDeveloper(work: Work, handle: string): Promise<Developer> {
  const developer = await findDeveloperByHandle(work.db, handle);
  if (developer && isKnownTo(developer, work.caller)) return developer;
  throw new Refusal("NOT_FOUND", "No developer has that handle.", nextStep("listDevelopers"));
}

/** Who a token speaks for, or undefined: unknown, wrong, revoked and expired tokens are told apart by nobody (ID7). */
export async function authenticate(
  db: Db,
  text: string,
  now: number,
  page: PageKey = "bearer",
): Promise<Caller | undefined> {
  const split = splitToken(text);
  if (!split) return undefined;
  const token = await findToken(db, split.id);
  // An unknown token is compared as well, with what nothing fits: how long it takes must not tell that it is unknown.
  if (!isSecretOf(split.secret, token?.hash ?? fitsNothing) || !token || !isLive(token, now)) return undefined;
  if (!opensLock(token.pageLock, page)) return undefined;
  const developer = await findDeveloper(db, token.developerId);
  return developer && callerOf(developer, token);
}

/** Whom a token that was shown before speaks for by now; nobody once it is revoked or has expired. */
export async function findCaller(db: Db, tokenId: TokenId, now: number): Promise<Caller | undefined> {
  const token = await findToken(db, tokenId);
  const developer = token && isLive(token, now) ? await findDeveloper(db, token.developerId) : undefined;
  return token && developer && callerOf(developer, token);
}

const fitsNothing = "0".repeat(64);

const callerOf = (developer: Developer, token: Pick<Token, "id" | "agentType" | "instanceId">): Caller => ({
  teamId: developer.teamId,
  developerId: developer.id,
  handle: developer.handle,
  isPrivate: developer.isPrivate,
  role: developer.role,
  tokenId: token.id,
  agentType: token.agentType,
  instanceId: token.instanceId,
});

/** Tells the ledger of a figure that the owner has set for the team. */
export async function noteThreshold(
  work: SystemWork,
  change: { key: string; value: number; before: number },
): Promise<void> {
  const team = await findTeam(work.db);
  if (team) work.record(teamEvent.thresholdSet(team.id, change));
}

/** Keeps a damaged store as it is, for that is what a person has decided, and answers what was found. */
export async function acceptStoreDamage(work: SystemWork): Promise<StoreVerification> {
  const found = await acceptDamage(work.db);
  const team = await findTeam(work.db);
  if (found.isIntact || !team) return found;
  const problems = [...found.problems, ...(found.reason === null ? [] : [found.reason])];
  work.record(teamEvent.damageAccepted(team.id, { problems, entries: found.entries }));
  return found;
}

/**
 * First start: a team, its owner from the git identity and a token, so that nothing has to be configured (ID1). Later
 * the owner gets a new token only if this machine has lost the old one: whoever holds the store's file owns it anyway.
 */
export async function foundTeam(
  work: SystemWork,
  identity: { name: string; email: string | null },
  ask: { hasLostToken: boolean },
): Promise<string | null> {
  if (await findTeam(work.db)) return ask.hasLostToken ? renewOwnerToken(work) : null;
  const team = { id: work.newId("team"), name: "local", createdAt: work.now };
  await insertTeam(work.db, team);
  work.record(teamEvent.founded(team.id, { name: team.name }));
  const owner = await addDeveloper(work, {
    teamId: team.id,
    handle: suggestHandle(identity),
    name: identity.name,
    email: identity.email,
    isPrivate: false,
    role: "owner",
  });
  const { text } = await mintToken(work, { developerId: owner.id, label: "this machine", agentType: null });
  return text;
}

async function renewOwnerToken(work: SystemWork): Promise<string | null> {
  const owner = (await listDevelopers(work.db)).find(({ role }) => role === "owner");
  if (!owner) return null;
  const { text } = await mintToken(work, { developerId: owner.id, label: "this machine, again", agentType: null });
  return text;
}

export async function createDeveloper(
  work: Work,
  ask: Pick<Developer, "handle" | "name" | "email" | "isPrivate">,
): Promise<Developer> {
  if (await findDeveloperByHandle(work.db, ask.handle)) {
    throw new Refusal("CONFLICT", "A developer with that handle exists.", "Choose another handle, or update that one.");
  }
  return addDeveloper(work, { ...ask, teamId: work.caller.teamId, role: "member" });
}

async function addDeveloper(
  work: SystemWork,
  fields: Pick<Developer, "teamId" | "handle" | "name" | "email" | "isPrivate" | "role">,
): Promise<Developer> {
  const developer: Developer = {
    ...fields,
    id: work.newId("developer"),
    createdAt: work.now,
    updatedAt: work.now,
    version: 1,
  };
  await insertDeveloper(work.db, developer);
  work.record(developerEvent.created(developer.id, { handle: developer.handle, role: developer.role }));
  return developer;
}

export async function updateDeveloper(
  work: Work,
  handle: string,
  changes: Partial<Pick<Developer, "name" | "email" | "isPrivate">>,
): Promise<Developer> {
  const developer = await getKnownDeveloper(work, handle);
  checkTokenRight(work.caller, developer.id);
  const fields = Object.keys(changes).map((field) => (field === "isPrivate" ? "private" : field));
  if (fields.length === 0) return developer;
  await saveDeveloper(work.db, developer, { ...changes, updatedAt: work.now });
  work.record(developerEvent.updated(developer.id, { fields }));
  return { ...developer, ...changes, updatedAt: work.now, version: developer.version + 1 };
}

export async function createToken(
  work: Work,
  ask: {
    handle: string | undefined;
    label: string | undefined;
    agentType: AgentType | null;
    livesMs: number | undefined;
  },
): Promise<{ id: TokenId; text: string }> {
  const developerId =
    ask.handle === undefined ? work.caller.developerId : (await getKnownDeveloper(work, ask.handle)).id;
  checkTokenRight(work.caller, developerId);
  const label = ask.label ?? chooseLabel(ask.agentType ?? "unnamed", await listTokens(work.db, developerId));
  const expiresAt = ask.livesMs === undefined ? null : work.now + ask.livesMs;
  return mintToken(work, { developerId, label, agentType: ask.agentType, expiresAt });
}

export async function mintToken(
  work: SystemWork,
  {
    expiresAt = null,
    instanceId = null,
    pageLock = null,
    secret = work.randomBytes(32),
    ...ask
  }: {
    developerId: DeveloperId;
    label: string;
    agentType: AgentType | null;
    expiresAt?: number | null;
    instanceId?: InstanceId | null;
    /** What a deck's cookie is bound to. */
    pageLock?: string | null;
    /** What it is made of, where somebody has to make it again. */
    secret?: Uint8Array;
  },
): Promise<{ id: TokenId; text: string }> {
  const id = work.newId("token");
  const { text, hash } = makeToken(id, secret);
  await insertToken(work.db, {
    ...ask,
    id,
    hash,
    createdAt: work.now,
    revokedAt: null,
    expiresAt,
    instanceId,
    lastUsedAt: null,
    pageLock,
    version: 1,
  });
  work.record(tokenEvent.created(id, { developer_id: ask.developerId, label: ask.label, agent_type: ask.agentType }));
  return { id, text };
}

export async function revokeToken(work: Work, id: TokenId): Promise<void> {
  const token = await findToken(work.db, id);
  if (!token) throw new Refusal("NOT_FOUND", "No token has that id.", nextStep("listTokens"));
  checkTokenRight(work.caller, token.developerId);
  await endToken(work, token);
}

/** Takes away the token of an instance that is over. */
export async function revokeInstanceToken(work: SystemWork, id: TokenId): Promise<void> {
  const token = await findToken(work.db, id);
  if (token) await endToken(work, token);
}

async function endToken(work: SystemWork, token: Token): Promise<void> {
  if (token.revokedAt !== null) return;
  await saveToken(work.db, token, { revokedAt: work.now });
  work.record(tokenEvent.revoked(token.id, { developer_id: token.developerId }));
}

/** Keeps when each of these tokens was last used; an earlier moment never takes the place of a later one. */
export async function noteTokenUses(work: SystemWork, uses: ReadonlyMap<TokenId, number>): Promise<void> {
  for (const [id, at] of uses) await markTokenUsed(work.db, id, at);
}

/** No token lives longer than it was meant to, whatever the clock said when it was made. */
export const settleTokens = (work: SystemWork): Promise<void> => shortenTokens(work.db, work.now);
