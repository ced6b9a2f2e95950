import type { Readable, Writable } from "node:stream";
import type { Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { FrameTransport } from "./frames.ts";

export interface StreamConnection {
  makeServer(era: "legacy" | "modern"): Server;
  cancel(requestId: string | number): void;
  malformed(): void;
}

/** Serves MCP on a pair of streams, whichever era the client opens with. Returns a function that ends it. */
export function serveStreams(input: Readable, output: Writable, connection: StreamConnection): () => Promise<void> {
  const handle = serveStdio(({ era }) => connection.makeServer(era), {
    transport: new FrameTransport(input, output, connection),
  });
  return () => handle.close();
}
