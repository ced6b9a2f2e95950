import type { Caller } from "../../contract/caller.ts";
import type { Catalogue } from "../../contract/listing.ts";
import type { House } from "../../engine/house.ts";
import { leaveUsage } from "../../engine/usage.ts";
import { makeServer } from "./gate.ts";
import { openConnection, type SelectionRequest, selectionOf } from "./session.ts";
import { serveStreams } from "./streams.ts";

export interface StdioOptions {
  readonly house: House;
  readonly catalogue: Catalogue;
  readonly ask: SelectionRequest;
  readonly identify: () => Promise<Caller>;
}

/** Everything in one process, for tests and containers: MCP on this process's own stdin and stdout until EOF. */
export function serveStdioInProcess(options: StdioOptions): Promise<void> {
  const { house, catalogue, identify } = options;
  const connection = openConnection(house, catalogue, selectionOf(catalogue, options.ask), identify);
  return new Promise((resolve) => {
    serveStreams(process.stdin, process.stdout, {
      makeServer: (era) => makeServer(connection, era),
      cancel: (id) => connection.cancellable.get(id)?.abort(),
      malformed: () => leaveUsage(house, { tool: undefined, code: "INVALID_REQUEST", transport: "mcp" }),
    });
    process.stdin.once("close", resolve);
    process.stdin.once("end", resolve);
  });
}
