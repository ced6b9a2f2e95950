import type { Threshold } from "../../../contract/threshold.ts";
import { callTool, read } from "../../data/api.ts";
import type { LiveEvent } from "../../data/event.ts";
import { type Reading, readAgain } from "../../data/store.ts";

export interface Developer {
  readonly id: string;
  readonly handle: string;
  readonly name: string;
  readonly email: string | null;
  readonly private: boolean;
  readonly role: "owner" | "member";
}

export interface Token {
  readonly id: string;
  readonly developer: string;
  readonly label: string;
  readonly agent_type: string | null;
  readonly created_at: string;
  readonly revoked_at: string | null;
}

export interface Device {
  readonly id: string;
  readonly machine_name: string;
  readonly agents: readonly string[];
  readonly status: string;
  readonly expires_at: string;
}

export interface Repository {
  readonly id: string;
  readonly name: string;
  readonly path: string;
}

/** A reading of a tool, read again when events of one of these nouns come. */
function listing<T>(tool: string, key: string, nouns: readonly string[]): Reading<readonly T[]> {
  return {
    key: `settings ${tool}`,
    load: async () => (await callTool<Record<string, T[]>>(tool))[key] ?? [],
    applyEvent: (value, event) => (isOf(event, nouns) ? readAgain : value),
  };
}

const isOf = ({ kind }: LiveEvent, nouns: readonly string[]): boolean =>
  nouns.some((noun) => kind.startsWith(`${noun}.`));

export const developersReading = listing<Developer>("developer_list", "developers", ["developer"]);
export const tokensReading = listing<Token>("token_list", "tokens", ["token"]);
export const devicesReading = listing<Device>("device_list", "devices", ["device", "grant", "token"]);
export const repositoriesReading = listing<Repository>("repository_list", "repositories", ["repository"]);

export interface Health {
  readonly versions: { readonly tool: string };
  readonly uptimeMs: number;
  readonly store: { readonly dialect: string; readonly location: string; readonly readOnlyReason: string | null };
  readonly ledger: number;
}

export const healthReading: Reading<Health> = {
  key: "settings health",
  load: async (signal) => (await read<{ status: Health }>("/status", {}, signal)).status,
};

/** They are read when the server starts, so no event changes them. */
export const thresholdsReading: Reading<readonly Threshold[]> = {
  key: "settings thresholds",
  load: async () => (await callTool<{ thresholds: Threshold[] }>("settings_get")).thresholds,
};

/** What `config.json` says for this figure alone. */
export function configLine({ key, value }: Pick<Threshold, "key" | "value">): string {
  const [part, name] = key.split(".");
  return `{"${part}": {"${name}": ${value}}}`;
}

export interface Verification {
  readonly isIntact: boolean;
  readonly entries: number;
  readonly reason: string | null;
  readonly problems: readonly string[];
}

/** Tokens that work first, the newest first. */
export const sortTokens = (tokens: readonly Token[]): Token[] =>
  tokens.toSorted(
    (one, other) =>
      Number(one.revoked_at !== null) - Number(other.revoked_at !== null) ||
      other.created_at.localeCompare(one.created_at),
  );
