import type { IncomingMessage } from "node:http";
import type { Caller } from "../../contract/caller.ts";
import type { Catalogue } from "../../contract/listing.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { Seat } from "../../contract/seat.ts";
import type { House } from "../../engine/house.ts";
import type { OpenConnection } from "../../engine/presence.ts";
import type { Connection } from "../mcp/gate.ts";
import { openConnection, type SelectionRequest, selectionOf } from "../mcp/session.ts";
import { isFromHere } from "./guards.ts";
import { bearerOf } from "./identity.ts";

/** What every connection of a server shares. */
export interface McpParts {
  readonly house: House;
  readonly catalogue: Catalogue;
}

/** The name a bridge gives its connection, the same for as long as it lives, so that its agents are found again. */
export function connectionKeyOf(request: IncomingMessage): string | undefined {
  const value = request.headers["x-crewdeck-connection"];
  return typeof value === "string" && /^[\w-]{16,64}$/.test(value) ? value : undefined;
}

export function connectionOf(
  { house, catalogue }: McpParts,
  request: IncomingMessage,
  { caller, open, way }: { caller: Caller | undefined; open: OpenConnection | undefined; way: Connection["way"] },
): Connection {
  const token = bearerOf(request);
  return openConnection({
    house,
    catalogue,
    selection: selectionOf(catalogue, askOf(request)),
    developerId: caller?.developerId ?? null,
    identify: () => house.authenticator.identify(token),
    folder: folderOf(request),
    seat: seatOf(request),
    open,
    way,
    revision: request.headersDistinct["mcp-protocol-version"]?.[0],
  });
}

/** Paths may hold any character and headers may not, so the bridge sends the client's folder encoded. */
export function folderOf(request: IncomingMessage): string | undefined {
  const value = request.headers["x-crewdeck-repo"];
  try {
    return typeof value === "string" ? decodeURI(value) : undefined;
  } catch {
    return undefined;
  }
}

/** What the client says it is there for, and whether it is on this machine. */
export function seatOf(request: IncomingMessage): Seat {
  const role = request.headers["x-crewdeck-role"];
  return { role: typeof role === "string" ? role : undefined, isHere: isFromHere(request) };
}

/** What to list: headers from the bridge, query parameters from a client's configuration. What restricts adds up. */
export function askOf(request: IncomingMessage): SelectionRequest {
  const query = new URL(request.url ?? "/", "http://localhost").searchParams;
  const header = (name: string): string | null => {
    const value = request.headers[name];
    return typeof value === "string" ? value : null;
  };
  const excluded = [header("x-crewdeck-exclude"), query.get("exclude")].filter((list) => list !== null);
  return {
    tools: header("x-crewdeck-tools") ?? query.get("tools") ?? undefined,
    exclude: excluded.length === 0 ? undefined : excluded.join(","),
    readOnly: [header("x-crewdeck-read-only"), query.get("read_only")].some(isYes),
  };
}

/** A word that is neither yes nor no might have been meant as a yes. */
function isYes(word: string | null): boolean {
  if (word === null || word === "0" || word === "false") return false;
  if (word === "1" || word === "true") return true;
  throw new Refusal("INVALID_REQUEST", "Read-only is asked for with 1 or true.");
}
