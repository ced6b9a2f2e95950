import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { Refusal } from "../../contract/refusal.ts";

const loopbackNames = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Refuses what a hostile page in a browser could send: a Host that is only a name pointing here (DNS rebinding), and
 * an Origin that is not this server's own. Runs before anything is read or looked up.
 */
export function checkHostAndOrigin(request: IncomingMessage, allowedHosts: ReadonlySet<string>): void {
  // Of two Host headers this server would read the first and a proxy before it perhaps the second.
  const [given, ...more] = request.headersDistinct["host"] ?? [];
  const host = more.length === 0 ? hostnameOf(given) : undefined;
  if (host === undefined || !isOurs(host, request, allowedHosts)) {
    throw new Refusal(
      "FORBIDDEN",
      "This server does not answer to that host name.",
      "Use its address, or allow the name.",
    );
  }
  if (!request.url?.startsWith("/")) throw new Refusal("FORBIDDEN", "Only plain paths are answered.");
  const { origin } = request.headers;
  if (origin !== undefined && !isSameOrigin(origin, request.headers.host ?? "")) {
    throw new Refusal("FORBIDDEN", "Pages of other origins may not use this server.");
  }
}

/** Whether a request comes from this machine, and not through a proxy on it: then paths of this machine mean something. */
export function isFromHere(request: IncomingMessage): boolean {
  const remote = request.socket.remoteAddress?.replace(/^::ffff:/, "");
  return (remote === "127.0.0.1" || remote === "::1") && loopbackNames.has(hostnameOf(request.headers.host) ?? "");
}

/** With a cookie the browser itself vouches for the user, so a change also needs a page of our own behind it. */
export function checkCookieOrigin(request: IncomingMessage): void {
  if (request.method === "GET" || request.method === "HEAD") return;
  if (request.headers.origin === undefined) {
    throw new Refusal("FORBIDDEN", "A change with a cookie must name its origin.");
  }
}

/** A literal address cannot be rebound; a name can, so only known names pass. */
function isOurs(host: string, request: IncomingMessage, allowedHosts: ReadonlySet<string>): boolean {
  if (loopbackNames.has(host) || allowedHosts.has(host)) return true;
  const address = host.replace(/^\[|\]$/g, "");
  const local = request.socket.localAddress?.replace(/^::ffff:/, "");
  return isIP(address) !== 0 && address === local;
}

function isSameOrigin(origin: string, host: string): boolean {
  try {
    const url = new URL(origin);
    return (url.protocol === "http:" || url.protocol === "https:") && url.host === host.toLowerCase();
  } catch {
    return false;
  }
}

function hostnameOf(host: string | undefined): string | undefined {
  if (host === undefined || !/^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(:\d{1,5})?$/i.test(host)) return undefined;
  return host.replace(/:\d{1,5}$/, "").toLowerCase();
}
