import type { IncomingMessage } from "node:http";
import { Refusal } from "../../contract/refusal.ts";
import type { House } from "../../engine/house.ts";
import { largestFrame } from "../json-guard.ts";
import { bearerOf, cookieToken, pageSecretOf } from "./identity.ts";

const kib = 1_024;
const mib = 1_024 * kib;
/** Who sends more than this, or says that they will, is not waited for. */
const mostSkipped = 8 * largestFrame;
/** What is kept of a body before anybody knows whose it is. */
const largestOfStranger = 64 * kib;
/** On `/api/mcp` the token may be in the body itself. */
const largestWithToken = mib;
/** Bytes of bodies that are on their way at one time: of all, of all strangers, of one token. */
const inFlight = { all: 128 * mib, strangers: 8 * mib, token: 64 * mib };

/**
 * Reads bodies. Whoever wants more kept than a stranger may has to be known before the first byte is read, and what is
 * kept of all bodies at one time is bounded, so that connections that stall in the middle cost little (SE53).
 */
export class Bodies {
  readonly #house: Pick<House, "authenticator">;
  readonly #held = new Map<string, number>();
  #heldByAll = 0;

  constructor(house: Pick<House, "authenticator">) {
    this.#house = house;
  }

  async read(request: IncomingMessage, route: string | undefined): Promise<string> {
    const most = route === "/api/mcp" && bearerOf(request) === undefined ? largestWithToken : largestOfStranger;
    const announced = Number(request.headers["content-length"] ?? Number.POSITIVE_INFINITY);
    // Most calls are small: for them nobody is looked up twice while there is room for strangers.
    const isSmall = announced <= most && (this.#held.get(strangers) ?? 0) + announced <= inFlight.strangers;
    const tokenId = isSmall ? undefined : await this.#tokenOf(request);
    const share = tokenId ?? strangers;
    let held = 0;
    const keep = (bytes: number): boolean => {
      if (!this.#take(share, bytes)) return false;
      held += bytes;
      return true;
    };
    try {
      return await readText(request, tokenId === undefined ? most : largestFrame, keep);
    } catch (error) {
      if (error instanceof TooLarge && tokenId === undefined && !isOfStrangers(route)) throw unauthorized();
      throw error;
    } finally {
      this.#give(share, held);
    }
  }

  /** Nobody is counted or slowed down here: the route itself asks who calls. */
  async #tokenOf(request: IncomingMessage): Promise<string | undefined> {
    const { authenticator } = this.#house;
    const bearer = bearerOf(request);
    const known =
      bearer === undefined
        ? authenticator.identifyDeck(cookieToken(request), pageSecretOf(request))
        : authenticator.identify(bearer);
    return known.then(
      ({ tokenId }) => tokenId,
      (error: unknown) => {
        if (error instanceof Refusal && error.code === "UNAUTHORIZED") return undefined;
        throw error;
      },
    );
  }

  #take(share: string, bytes: number): boolean {
    const held = (this.#held.get(share) ?? 0) + bytes;
    if (held > (share === strangers ? inFlight.strangers : inFlight.token)) return false;
    if (this.#heldByAll + bytes > inFlight.all) return false;
    this.#held.set(share, held);
    this.#heldByAll += bytes;
    return true;
  }

  #give(share: string, bytes: number): void {
    this.#heldByAll -= bytes;
    const held = (this.#held.get(share) ?? 0) - bytes;
    if (held > 0) this.#held.set(share, held);
    else this.#held.delete(share);
  }
}

const strangers = "strangers";

/** Where people and machines without a token have something to say. */
const isOfStrangers = (route = ""): boolean =>
  route === "/api/mcp" || route.startsWith("/api/login") || route.startsWith("/api/setup/");

/** A body beyond what is read; `most` is what would have been. */
export class TooLarge extends Error {
  readonly statusCode = 413;
  readonly most: number;

  constructor(most: number) {
    super("a body that is too large");
    this.most = most;
  }
}

/**
 * The text of a body. One that is too large is read to its end and thrown away as it comes, because a sender that is cut
 * off while it writes never hears why (HT13).
 */
function readText(body: IncomingMessage, most: number, keep: (bytes: number) => boolean): Promise<string> {
  return new Promise((resolve, reject) => {
    if (Number(body.headers["content-length"]) > mostSkipped) return reject(new TooLarge(most));
    // Whoever left while we asked who they are will never be seen to leave.
    if (body.destroyed) return reject(broken());
    let chunks: Buffer[] = [];
    let size = 0;
    const giveUp = (error: Error): void => {
      chunks = [];
      size = Number.POSITIVE_INFINITY;
      reject(error);
    };
    body.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > mostSkipped) giveUp(new TooLarge(most));
      else if (size > most) chunks = [];
      else if (keep(chunk.length)) chunks.push(chunk);
      else giveUp(overloaded());
    });
    body.on("end", () => {
      if (size > most) reject(new TooLarge(most));
      else resolve(Buffer.concat(chunks, size).toString("utf8"));
    });
    body.on("error", () => giveUp(broken()));
    body.on("close", () => giveUp(broken()));
  });
}

const broken = (): Error => Object.assign(new Error("a body that cannot be read"), { statusCode: 400 });

const overloaded = (): Refusal =>
  new Refusal("RATE_LIMITED", "Too much is being sent to the server at once.", "Send it again in a moment.", {
    retryAfterSeconds: 2,
  });

const unauthorized = (): Refusal => new Refusal("UNAUTHORIZED", "The call carries no valid token.");
