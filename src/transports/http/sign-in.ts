import type { FastifyInstance, FastifyReply } from "fastify";
import type { Caller } from "../../contract/caller.ts";
import type { Me, ProgramCall } from "../../contract/plain-routes.ts";
import { Refusal } from "../../contract/refusal.ts";
import { dispatch } from "../../engine/dispatch.ts";
import type { House } from "../../engine/house.ts";
import { answer } from "./answer.ts";
import { isFromHere } from "./guards.ts";
import { cookieName, cookieToken, type Identity } from "./identity.ts";

const codeLivesMs = 10 * 60_000;
const mostCodes = 100;

interface SignInRoutes {
  readonly house: House;
  readonly identity: Identity;
  baseUrl(): string;
  /** The data are an example's; the deck says so on every page. */
  readonly isDemo: boolean;
  readonly program: ProgramCall | undefined;
}

/** What it is called where nobody knows better. */
const anywhere: ProgramCall = { command: "crewdeck", options: "", bridge: ["crewdeck", "mcp"] };

/**
 * The deck's sign-in. On this machine `crewdeck up` asks for a one-time link; elsewhere a person pastes a token. Either
 * way the browser gets a token of its own in a cookie that scripts cannot read, and signing out revokes it.
 */
export function mountSignIn(app: FastifyInstance, routes: SignInRoutes): void {
  const { house, identity, baseUrl, isDemo } = routes;
  const codes = new Map<string, { caller: Caller; until: number }>();

  app.post("/api/login-link", async (request, reply) => {
    const caller = await identity.identify(request.raw);
    if (caller.agentType !== null) throw new Refusal("FORBIDDEN", "An agent's token does not sign people in.");
    const now = house.sources.now();
    for (const [code, { until }] of codes) if (until < now || codes.size >= mostCodes) codes.delete(code);
    const code = Buffer.from(house.sources.randomBytes(32)).toString("base64url");
    codes.set(code, { caller, until: now + codeLivesMs });
    return answer(house, request, reply, { url: `${baseUrl()}/login?code=${code}` });
  });

  // A look at the link with HEAD, as chat programs take, must not use it up.
  app.get<{ Querystring: { code?: string } }>("/login", { exposeHeadRoute: false }, async (request, reply) => {
    const code = request.query.code ?? "";
    const known = codes.get(code);
    codes.delete(code);
    if (!known || known.until < house.sources.now()) return reply.redirect("/?signin=expired", 303);
    await signIn(reply, known.caller);
    return reply.redirect("/", 303);
  });

  app.post<{ Body: { token?: unknown } }>("/api/login", async (request, reply) => {
    const token = request.body?.token;
    const caller = await identity.identifyToken(typeof token === "string" ? token : undefined, request.raw);
    if (caller.agentType !== null) throw new Refusal("FORBIDDEN", "An agent's token does not sign people in.");
    await signIn(reply, caller);
    return answer(house, request, reply, { handle: caller.handle });
  });

  app.post("/api/logout", async (request, reply) => {
    const token = cookieToken(request.raw);
    const caller = await identity.identifyToken(token, request.raw);
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

  async function signIn(reply: FastifyReply, caller: Caller): Promise<void> {
    const made = await dispatch(house, { tool: "token_create", args: { label: "deck" }, caller, transport: "http" });
    if (!made.ok) throw new Refusal(made.failure.code, made.failure.message, made.failure.hint);
    const { token } = made.value as { token: string };
    const secure = baseUrl().startsWith("https:") ? "; Secure" : "";
    reply.header("set-cookie", `${cookieName}=${token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=2592000${secure}`);
  }
}
