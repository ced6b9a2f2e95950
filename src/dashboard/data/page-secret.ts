/**
 * This page's half of the sign-in. Browsers send the cookie to every port of the host; what is kept here belongs to this
 * origin alone, and opens nothing without the cookie, which no script can read.
 */
const keptAs = "crewdeck.page";
/** Where a browser keeps nothing, the page knows it until it is closed. */
let known: string | null = null;

/** A new half for a new sign-in. Other tabs of the deck take it over with their next request, as they do the cookie. */
export function renewPageSecret(): void {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  known = btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
  try {
    localStorage.setItem(keptAs, known);
  } catch {
    // It is known until the page is closed.
  }
}

export function pageHeaders(): Record<string, string> {
  const secret = read();
  return secret === null ? {} : { "x-crewdeck-page": secret };
}

/** A WebSocket takes no headers, but names of protocols; the server chooses the first. */
export function openSocket(path: string): WebSocket {
  const secret = read();
  const address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`;
  return new WebSocket(address, secret === null ? ["crewdeck"] : ["crewdeck", `crewdeck.page.${secret}`]);
}

/** The code that a sign-in link ends with, once; nothing of it stays in the address. */
export function takeSignInCode(): string | undefined {
  const code = /^#signin=([\w-]{43})$/.exec(location.hash)?.[1];
  if (code !== undefined) history.replaceState(history.state, "", `${location.pathname}${location.search}`);
  return code;
}

function read(): string | null {
  try {
    return localStorage.getItem(keptAs) ?? known;
  } catch {
    return known;
  }
}
