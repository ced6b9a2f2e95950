import { hashSecret } from "./secret.ts";

/** No letter or digit that is taken for another: 32 of them, so that five bits of a byte choose one without favour. */
const alphabet = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";

/** What a person types: eight characters in two groups. */
export function makeUserCode(random: Uint8Array): { text: string; hash: string } {
  const letters = Array.from(random.subarray(0, 8), (byte) => alphabet[byte & 31]).join("");
  return { text: `${letters.slice(0, 4)}-${letters.slice(4)}`, hash: hashUserCode(letters) };
}

/** Case, hyphens and spaces do not count. */
export const hashUserCode = (typed: string): string => hashSecret(typed.toUpperCase().replace(/[\s-]/g, ""));

/** What the machine keeps to itself; too long to be guessed. */
export function makeDeviceCode(random: Uint8Array): { text: string; hash: string } {
  const text = `cdd_${Buffer.from(random).toString("base64url")}`;
  return { text, hash: hashSecret(text) };
}

export const hashDeviceCode = hashSecret;
