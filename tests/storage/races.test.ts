import { expect, test } from "vitest";
import type { AgentId } from "../../src/contract/ids.ts";
import { getAgent } from "../../src/domain/agent/queries.ts";
import { saveAgent } from "../../src/domain/agent/store.ts";
import { untilFresh } from "../../src/engine/until-fresh.ts";
import type { Db } from "../../src/storage/db.ts";
import { guard } from "../../src/storage/save.ts";
import { forEachStore } from "../../src/testing/house.ts";
import { letPass } from "../../src/testing/waiting.ts";
import { keptKeys, keysOf, putRow } from "./rows.ts";

forEachStore("races", (open) => {
  test("[ST9] a save of a version that is no longer there writes nothing", async () => {
    const house = await open();
    const id = (await house.agent("Ada")) as AgentId;
    const read = await house.house.store.read((db) => getAgent(db, id));
    const save = (name: string) =>
      house.house.store.transact(async (db) => {
        await saveAgent(db, read, { name });
        return { value: name, entries: [] };
      });
    await save("first");
    await expect(save("second")).rejects.toMatchObject({ code: "STALE" });
    expect(await house.house.store.read((db) => getAgent(db, id))).toMatchObject({ name: "first", version: 2 });
  });

  test("[ST10] sixteen concurrent updates of one agent all take effect", async () => {
    const house = await open();
    const id = await house.agent("Ada");
    const writers = Array.from({ length: 16 }, (_, place) => place);
    await Promise.all(writers.map((place) => house.call("agent_update", { id, metadata: { [`key${place}`]: place } })));
    const agent = await house.call<{ metadata: Record<string, number> }>("agent_get", { id });
    expect(agent.metadata).toEqual(Object.fromEntries(writers.map((place) => [`key${place}`, place])));
    const updates = (await house.entries()).filter((entry) => entry.kind === "agent.updated");
    expect(updates).toHaveLength(16);
  });

  test("[ST11] of eight operations that may add a row only when there is none, one does", async () => {
    const house = await open();
    const addIfNone = (place: number) =>
      untilFresh(() => house.house.store.transact(async (db) => ({ value: await addOnly(db, place), entries: [] })));
    const outcomes = await Promise.all(Array.from({ length: 8 }, (_, place) => addIfNone(place)));
    expect(outcomes.filter((hasAdded) => hasAdded)).toHaveLength(1);
    expect(await keptKeys(house)).toHaveLength(1);
  });

  async function addOnly(db: Db, place: number): Promise<boolean> {
    await guard(db, "only-one");
    if ((await keysOf(db)).length > 0) return false;
    await letPass(5, "the others get between looking and adding");
    await putRow(db, `mine${place}`);
    return true;
  }
});
