import { existsSync } from "node:fs";
import { Refusal } from "../contract/refusal.ts";
import { type Credentials, type Home, listCredentials, readServerInfo } from "./home.ts";

interface Ask {
  /** Where the token is sent to; undefined for the home's own server. */
  readonly origin: string | undefined;
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * The token for one server: `COVIBE_MCP_TOKEN`, then what that server gave this machine, then, for the home's own, the
 * default one. A server is never told what another one gave: whoever writes a repository's configuration chooses the
 * address in it.
 */
export function tokenFor(home: Home, { origin, env = process.env }: Ask): string | undefined {
  const given = env["COVIBE_MCP_TOKEN"]?.trim();
  if (given) return checkGiven(given);
  const agent = env["COVIBE_AGENT"] ?? "";
  const files = listCredentials(home);
  const granted = origin === undefined ? [] : files.map(({ servers }) => servers?.[origin]?.agents ?? {});
  const isForOwn = origin === undefined || isOwn(home, origin);
  return pick(granted, agent) ?? (isForOwn ? ownToken(files, agent) : unboundToken(home, files, agent));
}

/** Whether a server has given this machine a token, which it does once a person has approved it there. */
export function isSignedIn(home: Home, origin: string): boolean {
  try {
    return listCredentials(home).some(({ servers }) => servers?.[origin]?.agents !== undefined);
  } catch {
    // Credentials that others can read are used for nothing.
    return false;
  }
}

/** The agent's own, else any of them: all are the same person's, and no server gives one for every client. */
function pick(all: readonly Readonly<Record<string, string>>[], agent: string): string | undefined {
  const own = all.map((tokens) => tokens[agent]).find((token) => token !== undefined);
  return own ?? all.flatMap((tokens) => Object.values(tokens))[0];
}

function ownToken(files: readonly Credentials[], agent: string): string | undefined {
  const elsewhere = new Set(
    files.flatMap(({ servers = {} }) => Object.values(servers).flatMap(({ agents = {} }) => Object.values(agents))),
  );
  const own = files.map(({ agents }) => agents?.[agent]).find((token) => token !== undefined && !elsewhere.has(token));
  return own ?? files[0]?.default;
}

/**
 * What is written without saying which server gave it goes to a named one only while nothing in the files says so, and the
 * default one only from a home that never had a server of its own to give it.
 */
function unboundToken(home: Home, files: readonly Credentials[], agent: string): string | undefined {
  if (files.some(({ servers }) => servers !== undefined)) return undefined;
  const token = pick(
    files.map(({ agents = {} }) => agents),
    agent,
  );
  return token ?? (existsSync(home.database) ? undefined : files[0]?.default);
}

function isOwn(home: Home, origin: string): boolean {
  const own = readServerInfo(home)?.url;
  return own !== undefined && placeOf(own) === placeOf(origin);
}

/** This machine has several names for itself. */
function placeOf(address: string): string {
  const { protocol, hostname, port } = new URL(address);
  return `${protocol}//${/^(?:127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname) ? "localhost" : hostname}:${port}`;
}

/** What no header can carry would look like a server that cannot be reached. */
function checkGiven(token: string): string {
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  throw new Refusal(
    "UNAUTHORIZED",
    "COVIBE_MCP_TOKEN is not a token: it has spaces or line breaks in it.",
    "Set it to the one line that `crewdeck token create` prints.",
  );
}
