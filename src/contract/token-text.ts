import type { TokenId } from "./ids.ts";

/** A token as its holder has it, from its public id and its secret part. */
export const tokenText = (id: TokenId, secret: Uint8Array): string =>
  `cdk_${id.replace("_", "")}_${Buffer.from(secret).toString("base64url")}`;
