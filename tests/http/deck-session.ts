import { type Answer, type Ask, ask } from "./raw.ts";
import type { TestServer } from "./server.ts";

type Server = Pick<TestServer, "url" | "token">;

/** What a browser says of itself when a person follows a link. */
export const navigation = { "sec-fetch-site": "none", "user-agent": "Mozilla/5.0", accept: "text/html" };

export const pageSecret = "p".repeat(43);

/** Both halves of a browser's sign-in. */
export interface DeckSession {
  readonly cookie: string;
  /** The token in the cookie, as a thief would have it. */
  readonly stolen: string;
  readonly page: string;
  /** What the deck's own page sends along. */
  readonly whole: Ask;
}

export const cookiePair = (answer: Answer): string => (answer.headers["set-cookie"]?.[0] ?? "").split(";")[0] ?? "";

export async function linkOf(server: Server): Promise<string> {
  const { url } = (await ask(server, "POST", "/api/login-link")).json<{ result: { url: string } }>().result;
  return url.slice(server.url.length);
}

/** Follows a sign-in link as a browser does, up to the moment when the page is shown. */
export async function followLink(server: Server): Promise<{ cookie: string; code: string }> {
  const answer = await ask(server, "GET", await linkOf(server), { token: null, headers: navigation });
  const code = /^\/#signin=([\w-]{43})$/.exec(answer.headers.location ?? "")?.[1] ?? "";
  return { cookie: cookiePair(answer), code };
}

/** A browser that has signed in, and whose page has added its half. */
export async function signInBrowser(server: Server, page = pageSecret): Promise<DeckSession> {
  const { cookie, code } = await followLink(server);
  const whole = { token: null, headers: { cookie, origin: server.url, "x-crewdeck-page": page } };
  await ask(server, "POST", "/api/login/page", { ...whole, body: { code } });
  return { cookie, stolen: cookie.slice(cookie.indexOf("=") + 1), page, whole };
}
