import type { Caller } from "../../contract/caller.ts";
import type { Catalogue } from "../../contract/listing.ts";
import type { House } from "../../engine/house.ts";
import { leaveTrace, makeServer } from "./gate.ts";
import { openConnection, type SelectionRequest, selectionOf } from "./session.ts";
import { serveStreams } from "./streams.ts";

interface StdioOptions {
  readonly house: House;
  readonly catalogue: Catalogue;
  readonly ask: SelectionRequest;
  /** Where the client works. */
  readonly folder: string;
  /** What it says it is there for. */
  readonly role: string | undefined;
  readonly identify: () => Promise<Caller>;
}

/** Everything in one process, for tests and containers: MCP on this process's own stdin and stdout until EOF. */
export function serveStdioInProcess(options: StdioOptions): Promise<void> {
  const { house, catalogue, identify, folder, role } = options;
  const selection = selectionOf(catalogue, options.ask);
  const open = house.presence.open();
  const connection = openConnection({
    house,
    catalogue,
    selection,
    identify,
    folder,
    seat: { role, isHere: true },
    developerId: null,
    open,
    way: "stdio",
  });
  return new Promise((resolve) => {
    serveStreams(process.stdin, process.stdout, {
      makeServer: (era) => makeServer(connection, era),
      malformed: () => leaveTrace(connection, undefined, "INVALID_REQUEST"),
      closed() {
        open.close();
        resolve();
      },
    });
  });
}
