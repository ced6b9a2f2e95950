import type { AgentId, DeveloperId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import { prepare } from "../../storage/prepared.ts";
import { saveVersioned } from "../../storage/save.ts";
import type { AgentRow } from "../../storage/schema.ts";
import { clockSlackMs } from "../clock.ts";
import type { Agent } from "./model.ts";

export async function insertAgent(db: Db, agent: Agent): Promise<void> {
  await db.run(insertion(db.q, rowOf(agent)));
}

const insertion = prepare((q, row: AgentRow) => q.insertInto("agent").values(row));

export async function saveAgent(db: Db, read: Agent, changes: Partial<Agent>): Promise<void> {
  const { capabilities, metadata, ...plain } = changes;
  const columns = {
    ...plain,
    ...(capabilities === undefined ? {} : { capabilities: JSON.stringify(capabilities) }),
    ...(metadata === undefined ? {} : { metadata: JSON.stringify(metadata) }),
    version: read.version + 1,
  };
  await saveVersioned(db, update(db.q, columns, read.id, read.version));
}

const update = prepare((q, changes: Partial<AgentRow>, id: AgentId, version: number) =>
  q.updateTable("agent").set(changes).where("id", "=", id).where("version", "=", version),
);

/** One statement for all who were there at the same moment; who is offline stays so. */
export async function keepAgentsAlive(
  db: Db,
  ask: { readonly ids: readonly AgentId[]; readonly developerId: DeveloperId; readonly at: number },
): Promise<void> {
  for (let from = 0; from < ask.ids.length; from += mostIdsInOne) {
    await db.run(
      db.q
        .updateTable("agent")
        .set({ lastHeartbeatAt: ask.at })
        .where("id", "in", ask.ids.slice(from, from + mostIdsInOne))
        .where("developerId", "=", ask.developerId)
        .where("status", "in", ["online", "busy"])
        .where("lastHeartbeatAt", "<", ask.at),
    );
  }
}

const mostIdsInOne = 500;

export async function keepConnection(
  db: Db,
  { id, developerId, connectionKey }: { id: AgentId; developerId: DeveloperId; connectionKey: string },
): Promise<void> {
  await db.run(
    db.q.updateTable("agent").set({ connectionKey }).where("id", "=", id).where("developerId", "=", developerId),
  );
}

const rowOf = (agent: Agent): AgentRow => ({
  ...agent,
  capabilities: JSON.stringify(agent.capabilities),
  metadata: JSON.stringify(agent.metadata),
});

/** Signs of life from a clock that was ahead count as given now; else nobody would notice for days that they stopped. */
export async function pullBackSigns(db: Db, now: number): Promise<void> {
  await db.run(
    db.q
      .updateTable("agent")
      .set((of) => ({ lastHeartbeatAt: now, version: of("version", "+", 1) }))
      .where("lastHeartbeatAt", ">", now + clockSlackMs),
  );
}
