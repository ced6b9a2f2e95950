import { createHash } from "node:crypto";

/** The SHA-256 of a value as JSON. The order of keys does not count: the same has one hash however it was written. */
export const hashJson = (value: unknown): string => createHash("sha256").update(canonicalJson(value)).digest("hex");

/** JSON with sorted keys and no white space. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
  return `{${members.join(",")}}`;
}
