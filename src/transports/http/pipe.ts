import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { Caller } from "../../contract/caller.ts";
import { type Connection, leaveTrace, makeServer } from "../mcp/gate.ts";
import { serveStreams } from "../mcp/streams.ts";
import { connectionKeyOf, connectionOf, type McpParts } from "./mcp-connection.ts";

/** The stdio bridge's way in: frames over an upgraded connection, as if it were stdio. Returns a function that ends it. */
export function servePipe(
  parts: McpParts,
  request: IncomingMessage,
  socket: Duplex,
  caller: Caller,
): () => Promise<void> {
  const { house } = parts;
  const open = house.presence.open({ key: connectionKeyOf(request) });
  const resumed = house.presence
    .resume(house, caller.developerId, open)
    .catch((error: unknown) => house.log.error({ err: error }, "the agents of a connection could not be found"));
  const whole = connectionOf(parts, request, { caller, open, way: "stdio" });
  // A call that names no agent means the connection's own, so they are found before the first.
  const connection: Connection = { ...whole, identify: () => resumed.then(() => whole.identify()) };
  return serveStreams(socket, socket, {
    makeServer: (era) => makeServer(connection, era),
    malformed: () => leaveTrace(connection, undefined, "INVALID_REQUEST"),
    closed: () => open.close(),
  });
}
