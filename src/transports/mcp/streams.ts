import type { Readable, Writable } from "node:stream";
import type { Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { type FrameEvents, FrameTransport } from "./frames.ts";

interface StreamConnection extends FrameEvents {
  makeServer(era: "legacy" | "modern"): Server;
}

/** Serves MCP on a pair of streams, whichever era the client opens with. Returns a function that ends it. */
export function serveStreams(input: Readable, output: Writable, connection: StreamConnection): () => Promise<void> {
  const handle = serveStdio(({ era }) => connection.makeServer(era), {
    transport: new FrameTransport(input, output, connection),
  });
  return () => handle.close();
}
