import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyReply } from "fastify";
import { linkProofOf } from "../../adapters/server-proof.ts";
import { type Caller, isPerson } from "../../contract/caller.ts";
import type { Me, ProgramCall } from "../../contract/plain-routes.ts";
import { Refusal } from "../../contract/refusal.ts";
import { bindToPage, type DeckClient, deckSessionMs, isPageSecret, signInToDeck } from "../../engine/deck-session.ts";
import { dispatch } from "../../engine/dispatch.ts";
import type { House } from "../../engine/house.ts";
import { answer } from "./answer.ts";
import { isFromHere } from "./guards.ts";
import { cookieName, cookieToken, type Identity, isBrowser, pageSecretOf } from "./identity.ts";
import { SignInLinks } from "./sign-in-links.ts";

interface SignInRoutes {
  readonly house: House;
  readonly identity: Identity;
  baseUrl(): string;
  /** The data are an example's; the deck says so on every page. */
  readonly isDemo: boolean;
  readonly program: ProgramCall | undefined;
  /** By which a link that was opened from this machine's own account is known. */
  readonly secret: string | undefined;
}

/** What it is called where nobody knows better. */
const anywhere: ProgramCall = { command: "crewdeck", options: "", bridge: ["crewdeck", "mcp"] };

/**
 * The deck's sign-in. On this machine `crewdeck up` asks for a one-time link; elsewhere a person pastes a token. Either
 * way the browser gets a token of its own in a cookie that scripts cannot read, and signing out revokes it.
 */
export function mountSignIn(app: FastifyInstance, routes: SignInRoutes): void {
  const { house, identity, baseUrl, isDemo } = routes;
  const links = new SignInLinks(house.sources.now);

  app.post("/api/login-link", async (request, reply) => {
    const caller = await identity.identify(request.raw);
    if (!isPerson(caller)) throw new Refusal("FORBIDDEN", "An agent's token does not sign people in.");
    const code = Buffer.from(house.sources.randomBytes(32)).toString("base64url");
    links.add(code, caller);
    return answer(house, request, reply, { url: `${baseUrl()}/login?code=${code}` });
  });

  // A look at the link with HEAD, as chat programs take, must not use it up.
  app.get<{ Querystring: { code?: string; here?: string } }>(
    "/login",
    { exposeHeadRoute: false },
    async (request, reply) => {
      const { code = "", here = "" } = request.query;
      const asked = links.find(code);
      if (asked && isForeignPage(request.raw) && !isFromOwnAccount(code, here)) {
        return reply.type("text/html; charset=utf-8").send(confirmationPage(asked.handle, code));
      }
      const known = links.take(code);
      // A link is no more than the token that asked for it.
      const caller = known && (await house.authenticator.renew(known));
      if (!caller) return reply.redirect("/?signin=expired", 303);
      const pageCode = await signIn(reply, caller, isBrowser(request.raw) ? "browser" : "program");
      // After the # it reaches the page's scripts and no server, ours included.
      return reply.redirect(pageCode === null ? "/" : `/#signin=${pageCode}`, 303);
    },
  );

  app.post<{ Body: { token?: unknown } }>("/api/login", async (request, reply) => {
    const token = request.body?.token;
    const caller = await identity.identifyToken(typeof token === "string" ? token : undefined, request.raw);
    if (!isPerson(caller)) throw new Refusal("FORBIDDEN", "An agent's token does not sign people in.");
    const page = pageSecretOf(request.raw);
    if (!isPageSecret(page) && isBrowser(request.raw)) {
      throw new Refusal("INVALID_REQUEST", "A browser signs in on the deck's own page.", "Open the deck's address.");
    }
    await signIn(reply, caller, isPageSecret(page) ? { page } : "program");
    return answer(house, request, reply, { handle: caller.handle });
  });

  // The page of a new sign-in adds its half; until then the cookie opens nothing.
  app.post<{ Body: { code?: unknown } }>("/api/login/page", async (request, reply) => {
    const code = request.body?.code;
    const page = pageSecretOf(request.raw);
    const cookie = cookieToken(request.raw) ?? "";
    const isBound = typeof code === "string" && isPageSecret(page) && (await bindToPage(house, { cookie, code, page }));
    // Refuses whoever is not signed in by now, and counts wrong guesses.
    const { handle } = await identity.identifyDeck(request.raw);
    return answer(house, request, reply, { handle, bound: isBound });
  });

  app.post("/api/logout", async (request, reply) => {
    const caller = await identity.identifyDeck(request.raw);
    await dispatch(house, { tool: "token_revoke", args: { id: caller.tokenId }, caller, transport: "http" });
    reply.header("set-cookie", `${cookieName}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0`);
    return answer(house, request, reply, {});
  });

  app.get("/api/me", async (request, reply) => {
    const caller = await identity.identify(request.raw);
    const who = { handle: caller.handle, role: caller.role, private: caller.isPrivate };
    const program = isFromHere(request.raw) ? (routes.program ?? anywhere) : anywhere;
    const me: Me = { ...who, demo: isDemo, program };
    return answer(house, request, reply, me);
  });

  /** Known only to who can read the home: its owner opens links through a page of their own, which browsers call foreign. */
  function isFromOwnAccount(code: string, proof: string): boolean {
    return routes.secret !== undefined && proof === linkProofOf(routes.secret, code);
  }

  async function signIn(reply: FastifyReply, caller: Caller, client: DeckClient): Promise<string | null> {
    const { cookie, code } = await signInToDeck(house, caller, client);
    const secure = baseUrl().startsWith("https:") ? "; Secure" : "";
    const kept = `Path=/; HttpOnly; SameSite=Strict; Max-Age=${deckSessionMs / 1_000}${secure}`;
    reply.header("set-cookie", `${cookieName}=${cookie}; ${kept}`);
    return code;
  }
}

/** A page of another site leads here: the browser would be somebody else's from now on without anybody having asked. */
const isForeignPage = (request: IncomingMessage): boolean =>
  ["cross-site", "same-site"].includes(String(request.headers["sec-fetch-site"] ?? "none"));

/** A click on our own page is a wish of whoever sits there. Handles and codes have no letters that mean anything in HTML. */
const confirmationPage = (handle: string, code: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Sign in to Crewdeck</title><h1>Sign in to Crewdeck as ${handle}?</h1><p>Another page opened this link. If you did not ask for it, close this page.</p><p><a href="/login?code=${code}">Sign in as ${handle}</a></p></html>\n`;
