import { Refusal } from "../contract/refusal.ts";

/** The server that `COVIBE_BASE_URL` names, or undefined when it names none. */
export function baseUrlFrom(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const text = env["COVIBE_BASE_URL"];
  return text === undefined || text === "" ? undefined : readOrigin(text, "COVIBE_BASE_URL");
}

/**
 * The address of a server. Only an origin is taken: credentials, a path or a query in it would be sent along with the
 * token or silently lost. `what` is how the refusal calls it.
 */
export function readOrigin(text: string, what: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isOrigin =
    url !== undefined &&
    (url.protocol === "http:" || url.protocol === "https:") &&
    !/[?#@]/.test(text) &&
    url.pathname === "/" &&
    url.username === "" &&
    url.password === "";
  if (!isOrigin) {
    throw new Refusal(
      "INVALID_REQUEST",
      `${what} is not the plain address of a server.`,
      "Set it to an origin such as https://crewdeck.example, without user, path, query or fragment.",
    );
  }
  return url.origin;
}
