import { createHash, timingSafeEqual } from "node:crypto";
import { TokenId } from "../../contract/ids.ts";
import { tokenText } from "../../contract/token-text.ts";

/**
 * A token is `cdk_<public id>_<secret>`. The prefix lets scanners recognise a leaked one, the public id finds the row,
 * and only the SHA-256 of the secret is stored (ID6).
 */
const tokenPattern = /^cdk_(tok[0-9a-z]{26})_([0-9A-Za-z_-]{43})$/;

interface SplitToken {
  readonly id: TokenId;
  readonly secret: string;
}

export function splitToken(text: string): SplitToken | null {
  const [, id, secret] = tokenPattern.exec(text) ?? [];
  return id !== undefined && secret !== undefined ? { id: TokenId.parse(id.replace("tok", "tok_")), secret } : null;
}

export function makeToken(id: TokenId, random: Uint8Array): { text: string; hash: string } {
  const secret = Buffer.from(random).toString("base64url");
  return { text: tokenText(id, random), hash: hashSecret(secret) };
}

export const hashSecret = (secret: string): string => createHash("sha256").update(secret).digest("hex");

/** Both sides are hashes of equal length, so the comparison takes the same time wherever they differ. */
export const isSecretOf = (secret: string, hash: string): boolean =>
  timingSafeEqual(Buffer.from(hashSecret(secret), "hex"), Buffer.from(hash, "hex"));
