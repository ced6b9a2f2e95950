/** How the command line writes: plain words, and no control characters that came from elsewhere. */

/** Text from agents on one line: nothing in it can move the cursor, colour the screen or turn the reading direction. */
export const cleanText = (text: string): string =>
  text
    .replace(/\p{Cf}/gu, "")
    .replace(/\s+/g, " ")
    .replace(/\p{Cc}/gu, "");

/** JSON that loses nothing and is as harmless on a terminal: what could steer one is written as an escape. */
export function toJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent) ?? "null";
  return text.replace(/[\p{Cf}\u007f-\u009f\u2028\u2029]/gu, escapeUnits);
}

const escapeUnits = (symbol: string): string =>
  Array.from({ length: symbol.length }, (_, at) => `\\u${symbol.charCodeAt(at).toString(16).padStart(4, "0")}`).join(
    "",
  );

export function shorten(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

const units = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "min"],
  [1_000, "s"],
] as const;

/** A length of time in its largest whole unit. */
export function durationText(ms: number): string {
  const [size, unit] = units.find(([unitMs]) => ms >= unitMs) ?? [1_000, "s"];
  return `${Math.floor(ms / size)} ${unit}`;
}

export const count = (amount: number, noun: string): string => `${amount} ${noun}${amount === 1 ? "" : "s"}`;

/** How long ago something was: `3 min ago`. */
export function agoText(time: string | number, now = Date.now()): string {
  const ms = now - (typeof time === "number" ? time : Date.parse(time));
  return ms < 1_000 ? "just now" : `${durationText(ms)} ago`;
}

export const amountText = (amount: number): string => amount.toLocaleString("en");

/** What stands where nothing is known. */
export const none = "—";

/** An agent as it is named everywhere: its name, its client, its owner. */
export function agentText(agent: { name: string | null; client?: string | null; owner: string | null }): string {
  const more = [agent.client?.replaceAll("_", "-"), agent.owner].filter(Boolean).join(", ");
  if (agent.name === null) return agent.owner ?? none;
  return more === "" || agent.name === agent.owner ? agent.name : `${agent.name} (${more})`;
}

/** Ids cut to what tells these apart, and a little more; the rest of the list's width is for what people read. */
export function shortIds(ids: readonly string[]): (id: string) => string {
  const sorted = [...new Set(ids)].sort();
  const shared = (one: string, other: string | undefined): number => {
    let at = 0;
    while (other !== undefined && at < one.length && one[at] === other[at]) at += 1;
    return at;
  };
  const lengths = new Map(
    sorted.map((id, at) => [id, Math.max(shared(id, sorted[at - 1]), shared(id, sorted[at + 1])) + 3]),
  );
  const length = Math.max(9, ...lengths.values());
  return (id) => id.slice(0, length);
}
