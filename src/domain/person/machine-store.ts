import type { DeveloperId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import { guard, saveVersioned } from "../../storage/save.ts";
import type { MachineRow } from "../../storage/schema-team.ts";
import type { Machine, MachineState } from "./machine-model.ts";

type Place = Pick<Machine, "developerId" | "name" | "repository">;

/** Those of one person, the last heard of first. */
export async function listMachines(
  db: Db,
  { developerId, since }: { developerId: DeveloperId; since: number },
): Promise<Machine[]> {
  const rows = await db.all(
    db.q
      .selectFrom("machine")
      .selectAll()
      .where("developerId", "=", developerId)
      .where("reportedAt", ">=", since)
      .orderBy("reportedAt", "desc")
      .orderBy("name")
      .orderBy("repository"),
  );
  return rows.map(machineOf);
}

/** All of them, for one who reports: two first reports at once would each overlook the other's row. */
export async function listMachinesToChange(db: Db, developerId: DeveloperId): Promise<Machine[]> {
  await guard(db, `machines:${developerId}`);
  return listMachines(db, { developerId, since: 0 });
}

export async function insertMachine(db: Db, machine: Machine): Promise<void> {
  await db.run(db.q.insertInto("machine").values({ ...machine, state: JSON.stringify(machine.state) }));
}

export async function saveMachine(
  db: Db,
  read: Machine,
  { state, ...changes }: Pick<Machine, "companionVersion" | "state" | "reportedAt">,
): Promise<void> {
  await saveVersioned(
    db,
    db.q
      .updateTable("machine")
      .set({ ...changes, state: JSON.stringify(state), version: read.version + 1 })
      .where("developerId", "=", read.developerId)
      .where("name", "=", read.name)
      .where("repository", "=", read.repository)
      .where("version", "=", read.version),
  );
}

export async function deleteMachine(db: Db, { developerId, name, repository }: Place): Promise<void> {
  await db.run(
    db.q
      .deleteFrom("machine")
      .where("developerId", "=", developerId)
      .where("name", "=", name)
      .where("repository", "=", repository),
  );
}

const machineOf = (row: MachineRow): Machine => ({ ...row, state: JSON.parse(row.state) as MachineState });
