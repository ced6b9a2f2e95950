import { createHmac, randomBytes } from "node:crypto";
import { get } from "node:http";
import type { ServerInfo } from "./home.ts";

/** The question and the answer travel in headers of `/health`, which needs no token. */
export const proofHeaders = { challenge: "x-crewdeck-challenge", proof: "x-crewdeck-proof" } as const;

/** A server that is busy takes its time; one that hangs is none. */
const patienceMs = 5_000;

/**
 * What only the server that wrote the note of its home can answer. The port is part of it, so that nobody else can have
 * the question answered by the real server and pass that on.
 */
export const proofOf = (secret: string, challenge: string, port: number): string =>
  createHmac("sha256", secret).update(`${challenge}\n${port}`).digest("base64url");

/** What only an account that can read the home can add to a sign-in link. */
export const linkProofOf = (secret: string, code: string): string =>
  createHmac("sha256", secret).update(`link\n${code}`).digest("base64url");

/** Whether the server at the address of a note is the one that wrote it. Nothing secret is sent to find out. */
export function isItself({ url, secret }: ServerInfo): Promise<boolean> {
  const challenge = randomBytes(24).toString("base64url");
  const { port } = new URL(url);
  const expected = secret && proofOf(secret, challenge, Number(port));
  return new Promise((settle) => {
    if (!expected) return settle(false);
    const headers = { [proofHeaders.challenge]: challenge, connection: "close" };
    const request = get(new URL("/health", url), { headers, timeout: patienceMs, agent: false }, (response) => {
      settle(response.headers[proofHeaders.proof] === expected);
      response.destroy();
    });
    request.once("timeout", () => request.destroy()).once("error", () => settle(false));
  });
}
