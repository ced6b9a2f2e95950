import type { Db } from "../../storage/db.ts";
import { saveVersioned } from "../../storage/save.ts";
import type { AgentRow } from "../../storage/schema.ts";
import type { Agent } from "./model.ts";

export async function insertAgent(db: Db, agent: Agent): Promise<void> {
  await db.run(db.q.insertInto("agent").values(rowOf(agent)));
}

export async function saveAgent(db: Db, read: Agent, changes: Partial<Agent>): Promise<void> {
  const { capabilities, metadata, ...plain } = changes;
  await saveVersioned(
    db,
    db.q
      .updateTable("agent")
      .set({
        ...plain,
        ...(capabilities === undefined ? {} : { capabilities: JSON.stringify(capabilities) }),
        ...(metadata === undefined ? {} : { metadata: JSON.stringify(metadata) }),
        version: read.version + 1,
      })
      .where("id", "=", read.id)
      .where("version", "=", read.version),
  );
}

const rowOf = (agent: Agent): AgentRow => ({
  ...agent,
  capabilities: JSON.stringify(agent.capabilities),
  metadata: JSON.stringify(agent.metadata),
});
