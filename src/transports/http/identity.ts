import type { IncomingMessage } from "node:http";
import type { Caller } from "../../contract/caller.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { House } from "../../engine/house.ts";
import { checkCookieOrigin } from "./guards.ts";
import { RateLimit, sourceOf } from "./rate-limit.ts";

export const cookieName = "crewdeck_session";

/** Who sends a request: a bearer token, the body's token, or the deck's cookie. */
export class Identity {
  readonly #house: House;
  readonly #failures: RateLimit;
  readonly #requests: RateLimit;

  constructor(house: House) {
    this.#house = house;
    const { now } = house.sources;
    this.#failures = new RateLimit({ capacity: 100, perSecond: 20, now });
    this.#requests = new RateLimit({ capacity: 20_000, perSecond: 10_000, now });
  }

  async identify(request: IncomingMessage, bodyToken?: string): Promise<Caller> {
    const token = bearerOf(request) ?? bodyToken ?? cookieToken(request);
    return this.identifyToken(token, request);
  }

  async identifyToken(token: string | undefined, request: IncomingMessage): Promise<Caller> {
    try {
      const caller = await this.#house.authenticator.identify(token);
      slowDown(this.#requests.take(caller.tokenId));
      return caller;
    } catch (error) {
      if (error instanceof Refusal && error.code === "UNAUTHORIZED") {
        slowDown(this.#failures.take(sourceOf(request.socket.remoteAddress)));
      }
      throw error;
    }
  }
}

function slowDown(seconds: number): void {
  if (seconds === 0) return;
  throw new Refusal("RATE_LIMITED", "Too many requests in a short time.", undefined, { retryAfterSeconds: seconds });
}

export function bearerOf(request: IncomingMessage): string | undefined {
  const values = request.headersDistinct["authorization"] ?? [];
  const [value] = values;
  if (value === undefined) return undefined;
  // Two headers or another scheme: never guess which one was meant.
  const match = values.length === 1 ? /^Bearer +([\x21-\x7e]+)$/i.exec(value) : null;
  return match?.[1] ?? "";
}

export function cookieToken(request: IncomingMessage): string | undefined {
  const cookies = (request.headers.cookie ?? "").split(";").map((pair) => pair.trim());
  const token = cookies.find((pair) => pair.startsWith(`${cookieName}=`))?.slice(cookieName.length + 1);
  if (token !== undefined) checkCookieOrigin(request);
  return token;
}
