import type { IncomingMessage } from "node:http";
import type { Caller } from "../../contract/caller.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { House } from "../../engine/house.ts";
import { checkCookieOrigin } from "./guards.ts";
import { RateLimit, sourceOf } from "./rate-limit.ts";
import type { Strangers } from "./strangers.ts";

export const cookieName = "crewdeck_session";

/** Who sends a request: a bearer token, the body's token, or the deck's cookie with what its page adds. */
export class Identity {
  readonly #house: House;
  readonly #failures: RateLimit;
  readonly #requests: RateLimit;

  readonly #strangers: Pick<Strangers, "isKnown">;

  constructor(house: House, strangers: Pick<Strangers, "isKnown">) {
    this.#house = house;
    this.#strangers = strangers;
    const { now } = house.sources;
    this.#failures = new RateLimit({ capacity: 100, perSecond: 20, now });
    this.#requests = new RateLimit({ capacity: 20_000, perSecond: 10_000, now });
  }

  async identify(request: IncomingMessage, bodyToken?: string): Promise<Caller> {
    const token = bearerOf(request) ?? bodyToken;
    return token === undefined ? this.identifyDeck(request) : this.identifyToken(token, request);
  }

  /** The cookie alone is worth nothing: browsers send it to every port of this host (HT80). */
  async identifyDeck(request: IncomingMessage): Promise<Caller> {
    return this.#admit(request, this.#house.authenticator.identifyDeck(cookieToken(request), pageSecretOf(request)));
  }

  identifyToken(token: string | undefined, request: IncomingMessage): Promise<Caller> {
    return this.#admit(request, this.#house.authenticator.identify(token));
  }

  async #admit(request: IncomingMessage, identified: Promise<Caller>): Promise<Caller> {
    try {
      const caller = await identified;
      this.#strangers.isKnown(request.socket);
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

/** Browsers can give a WebSocket no header, only the names of protocols. */
const pageProtocol = "crewdeck.page.";

/** What the deck's page keeps for its own origin. */
export function pageSecretOf(request: IncomingMessage): string | undefined {
  const header = request.headers["x-crewdeck-page"];
  if (typeof header === "string") return header;
  const protocols = (request.headers["sec-websocket-protocol"] ?? "").split(",").map((name) => name.trim());
  return protocols.find((name) => name.startsWith(pageProtocol))?.slice(pageProtocol.length);
}

/** Of the protocols a page names, the one that is no secret. */
export const chooseProtocol = (offered: ReadonlySet<string>): string | false =>
  [...offered].find((name) => !name.startsWith(pageProtocol)) ?? false;

/** Whether cookies of the answer end up where pages of other ports can have them sent. */
export const isBrowser = ({ headers }: IncomingMessage): boolean =>
  headers["sec-fetch-site"] !== undefined ||
  /^mozilla\//i.test(headers["user-agent"] ?? "") ||
  /\btext\/html\b/i.test(headers.accept ?? "");
