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
  const granted = origin === undefined ? undefined : pick(files, agent, ({ servers }) => servers?.[origin]?.agents);
  if (granted !== undefined) return granted;
  if (origin !== undefined && !isOwn(home, origin)) return pick(files, agent, unboundOf);
  return files.map(({ agents }) => agents?.[agent]).find((token) => token !== undefined) ?? files[0]?.default;
}

/** The agent's own, else any of them: all are the same person's, and no server gives one for every client. */
function pick(
  files: readonly Credentials[],
  agent: string,
  tokensOf: (file: Credentials) => Readonly<Record<string, string>> | undefined,
): string | undefined {
  const all = files.map(tokensOf).filter((tokens) => tokens !== undefined);
  return all.map((tokens) => tokens[agent]).find((token) => token !== undefined) ?? Object.values(all[0] ?? {})[0];
}

/** Tokens from before files said whose they are, and from other tools: once a file says so for any, it is believed. */
const unboundOf = ({ servers, agents }: Credentials): Credentials["agents"] =>
  servers === undefined ? agents : undefined;

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
