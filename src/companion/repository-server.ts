import { join } from "node:path";
import { isOurEntry } from "./clients/lines.ts";
import { readJsonFile } from "./files.ts";
import { recordOf, textAt } from "./hook/signal.ts";
import type { Companion } from "./places.ts";
import { findRepoOf } from "./repos.ts";
import type { Copy } from "./repository.ts";

/**
 * The server that a repository's agents use; undefined for this machine's own. A clone that was never set up on this
 * machine brings the address along in its configuration: no token but that server's own is ever sent there.
 */
export function serverOf(companion: Companion, repository: Copy): string | undefined {
  const known = findRepoOf(companion, repository);
  return known === undefined ? committedServer(repository) : known.base_url;
}

function committedServer({ root }: Copy): string | undefined {
  const entry = recordOf(recordOf(recordOf(readJsonFile(join(root, ".mcp.json")))?.["mcpServers"])?.["crewdeck"]);
  const address = isOurEntry(entry) ? textAt(entry, "env", "COVIBE_BASE_URL") : undefined;
  const url = address !== undefined && URL.canParse(address) ? new URL(address) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) ? url.origin : undefined;
}
