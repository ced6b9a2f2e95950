import { join } from "node:path";
import type { Home } from "../adapters/home.ts";
import { isSignedIn } from "../adapters/token.ts";
import { isOurEntry } from "./clients/lines.ts";
import { readJsonFile } from "./files.ts";
import { recordOf, textAt } from "./hook/signal.ts";
import type { Companion } from "./places.ts";
import { findRepoOf } from "./repos.ts";
import type { Copy } from "./repository.ts";

/**
 * The server that the agents of a repository talk to; undefined for this machine's own. A clone that was never set up here
 * brings an address along, which whoever wrote it chose: it counts once a person has signed this machine in there.
 */
export function serverOf({ companion, home }: { companion: Companion; home: Home }, copy: Copy): string | undefined {
  const known = findRepoOf(companion, copy)?.base_url;
  if (known !== undefined) return known;
  const committed = committedServer(copy);
  return committed !== undefined && isSignedIn(home, committed) ? committed : undefined;
}

/** The server that setup writes into the configuration of a repository where nobody names another. Nothing is sent to it. */
export const configuredServerOf = (companion: Companion, copy: Copy): string | undefined =>
  findRepoOf(companion, copy)?.base_url ?? committedServer(copy);

function committedServer({ root }: Copy): string | undefined {
  const entry = recordOf(recordOf(recordOf(readJsonFile(join(root, ".mcp.json")))?.["mcpServers"])?.["crewdeck"]);
  const address = isOurEntry(entry) ? textAt(entry, "env", "COVIBE_BASE_URL") : undefined;
  const url = address !== undefined && URL.canParse(address) ? new URL(address) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) ? url.origin : undefined;
}
