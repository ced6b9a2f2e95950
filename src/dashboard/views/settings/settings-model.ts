import type { ServerStatus } from "../../../contract/plain-routes.ts";
import type { AnswerOf } from "../../../tools/calls.ts";
import { callTool, read } from "../../data/api.ts";
import type { LiveEvent } from "../../data/event.ts";
import { type Reading, readAgain } from "../../data/store.ts";
import { sayLength } from "../../parts/say-age.ts";

export type Developer = AnswerOf<"developer_list">["developers"][number];
export type Token = AnswerOf<"token_list">["tokens"][number];

/** A reading of a list, read again when events of one of these nouns come. */
function listing<T>(key: string, load: () => Promise<readonly T[]>, nouns: readonly string[]): Reading<readonly T[]> {
  return {
    key: `settings ${key}`,
    load,
    applyEvent: (value, event) => (isOf(event, nouns) ? readAgain : value),
  };
}

const isOf = ({ kind }: LiveEvent, nouns: readonly string[]): boolean =>
  nouns.some((noun) => kind.startsWith(`${noun}.`));

export const developersReading = listing("developers", async () => (await callTool("developer_list", {})).developers, [
  "developer",
]);
export const tokensReading = listing("tokens", async () => (await callTool("token_list", {})).tokens, ["token"]);
export const devicesReading = listing("devices", async () => (await callTool("device_list", {})).devices, [
  "device",
  "grant",
  "token",
]);

export const healthReading: Reading<ServerStatus> = {
  key: "settings health",
  load: async (signal) => (await read("/status", {}, signal)).status,
};

export type Threshold = AnswerOf<"settings_get">["thresholds"][number];

/** They are read when the server starts, so no event changes them. */
export const thresholdsReading: Reading<readonly Threshold[]> = {
  key: "settings thresholds",
  load: async () => (await callTool("settings_get", {})).thresholds,
  applyEvent: (value, { kind }) => (kind === "team.thresholdSet" ? readAgain : value),
};

/** What `config.json` says for this figure alone. */
export function configLine({ key, value }: Pick<Threshold, "key" | "value">): string {
  const [part, name] = key.split(".");
  return `{"${part}": {"${name}": ${value}}}`;
}

/** When a token stops to work by itself. */
export function sayExpiry({ expires_at }: Pick<Token, "expires_at">, now: number): string {
  if (expires_at === null) return "never";
  const left = Date.parse(expires_at) - now;
  return left <= 0 ? "expired" : `in ${sayLength(left)}`;
}

/** Tokens that work first, the newest first. */
export const sortTokens = (tokens: readonly Token[]): Token[] =>
  tokens.toSorted(
    (one, other) =>
      Number(one.revoked_at !== null) - Number(other.revoked_at !== null) ||
      other.created_at.localeCompare(one.created_at),
  );
