import type { ServerStatus } from "../contract/plain-routes.ts";
import { schemaVersion, toolVersion } from "../contract/versions.ts";
import { countAgents } from "../domain/agent/queries.ts";
import { readHead } from "../domain/ledger/queries.ts";
import { countRepositories } from "../domain/project/queries.ts";
import type { House } from "./house.ts";

export async function statusOf(house: House, connections: Record<string, number>): Promise<ServerStatus> {
  const facts = await house.store.read(async (db) => ({
    agents: await countAgents(db),
    repositories: await countRepositories(db, { except: [] }),
    ledger: (await readHead(db)).seq,
  }));
  return {
    versions: { schema: schemaVersion, tool: toolVersion },
    pid: process.pid,
    uptimeMs: house.sources.now() - house.startedAt,
    store: {
      dialect: house.store.dialect,
      location: house.store.location,
      readOnlyReason: house.store.readOnlyReason,
    },
    connections,
    ...facts,
  };
}
