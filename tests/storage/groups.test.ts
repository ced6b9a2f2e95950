import pg from "pg";
import { expect, test, vi } from "vitest";
import type { AgentId } from "../../src/contract/ids.ts";
import { getAgent } from "../../src/domain/agent/queries.ts";
import { saveAgent } from "../../src/domain/agent/store.ts";
import type { Db } from "../../src/storage/db.ts";
import { guard } from "../../src/storage/save.ts";
import { forEachStore, type TestHouse } from "../../src/testing/house.ts";
import { entryAbout, keptKeys, keysOf, putRow, recordedSubjects } from "./rows.ts";

const places = (count: number) => Array.from({ length: count }, (_, place) => place);

/** An operation that may share a transaction with those that arrive at the same moment. */
const together = <T>(house: TestHouse, key: string, body: (db: Db) => Promise<T>): Promise<T> =>
  house.house.store.transact(async (db) => ({ value: await body(db), entries: [entryAbout(key)] }), { kind: "test" });

/** A promise to be kept from outside. */
function signalled(): { readonly promise: Promise<void>; resolve(): void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((keep) => {
    resolve = keep;
  });
  return { promise, resolve: () => resolve() };
}

/** What is sent to PostgreSQL from now on. */
function statementsSent(): { readonly sent: string[]; end(): void } {
  const sent: string[] = [];
  const query = vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (this: pg.Client, ...args) {
    const [asked] = args as unknown as [string | { text: string }];
    sent.push(typeof asked === "string" ? asked : asked.text);
    return original.apply(this, args as never) as never;
  });
  return { sent, end: () => query.mockRestore() };
}

const original = pg.Client.prototype.query;

forEachStore("groups", (open, kind) => {
  test("[ST50] operations that arrive together are committed together, and their entries keep their order", async () => {
    const house = await open();
    const keys = places(40).map((place) => `k${String(place).padStart(2, "0")}`);
    await Promise.all(keys.map((key) => together(house, key, (db) => putRow(db, key))));
    expect(await keptKeys(house)).toEqual(keys);
    expect(await recordedSubjects(house)).toEqual(keys);
    if (kind === "sqlite") return;
    const writers = `select distinct xmin::text from "meta" where "key" like 'test:%'`;
    expect(await house.house.store.read((db) => db.sql(writers))).toHaveLength(1);
  });

  test.each<[string, (db: Db) => Promise<unknown>]>([
    ["refuses", async () => Promise.reject(new Error("no"))],
    ["asks for a table that is not there", (db: Db) => db.sql("select * from nowhere")],
    ["swallows such a failure", (db: Db) => db.sql("select * from nowhere").catch(() => undefined)],
    ["adds a row that another has added", (db: Db) => putRow(db, "k0")],
  ])("[ST50] one that %s takes none of the others with it", async (_, act) => {
    const house = await open();
    const clean = places(8).map((place) => together(house, `k${place}`, (db) => putRow(db, `k${place}`)));
    const failing = together(house, "odd", act).catch(() => "failed");
    await Promise.all(clean);
    await failing;
    expect(await keptKeys(house)).toEqual(places(8).map((place) => `k${place}`));
    const recorded = (await recordedSubjects(house)).filter((subject) => subject !== "odd");
    expect(recorded.toSorted()).toEqual(places(8).map((place) => `k${place}`));
  });

  test("[ST50] one that reads what it has written, deletes or guards gets what it asks for", async () => {
    const house = await open();
    await together(house, "old", (db) => putRow(db, "old"));
    const [seen] = await Promise.all([
      together(house, "a", async (db) => {
        await putRow(db, "a");
        return keysOf(db);
      }),
      together(house, "b", (db) => db.run(db.q.deleteFrom("meta").where("key", "=", "test:old"))),
      together(house, "c", async (db) => {
        await guard(db, "test");
        await putRow(db, "c");
      }),
      together(house, "d", (db) => putRow(db, "d")),
    ]);
    expect(seen).toContain("a");
    expect(await keptKeys(house)).toEqual(["a", "c", "d"]);
    expect((await recordedSubjects(house)).toSorted()).toEqual(["a", "b", "c", "d", "old"]);
  });

  if (kind === "postgres") {
    test("[ST50] one that waits for a record that somebody else holds keeps none of the others waiting", async () => {
      const house = await open();
      const id = (await house.agent("Ada")) as AgentId;
      const read = await house.house.store.read((db) => getAgent(db, id));
      const [free, isHeld] = [signalled(), signalled()];
      const holder = house.house.store.transact(async (db) => {
        await saveAgent(db, read, { name: "held" });
        isHeld.resolve();
        await free.promise;
        return { value: undefined, entries: [] };
      });
      await isHeld.promise;
      const waiting = together(house, "late", (db) => saveAgent(db, read, { name: "late" }));
      const refused = expect(waiting).rejects.toMatchObject({ code: "STALE" });
      await together(house, "free", (db) => putRow(db, "free"));
      expect(await keptKeys(house)).toEqual(["free"]);
      free.resolve();
      await holder;
      await refused;
    });
  }

  test("[ST53] those that read rows by id at once each get their own", async () => {
    const house = await open();
    const ids = (await Promise.all(["Ada", "Bo"].map((name) => house.agent(name)))) as AgentId[];
    const asked = [...ids, ids[0], "ag_nobody", `ag_"quoted'`] as AgentId[];
    const rows = await Promise.all(
      asked.map((id) =>
        together(house, id, (db) => db.first(db.q.selectFrom("agent").selectAll().where("id", "=", id))),
      ),
    );
    expect(rows.map((row) => row?.name)).toEqual(["Ada", "Bo", "Ada", undefined, undefined]);
    expect(rows[2]).toEqual(rows[0]);
    expect(rows[2]).not.toBe(rows[0]);
  });

  if (kind === "postgres") {
    test("[ST53] and they are read with one statement", async () => {
      const house = await open();
      const ids = (await Promise.all(places(8).map((place) => house.agent(`a${place}`)))) as AgentId[];
      const { sent, end } = statementsSent();
      await Promise.all(ids.map((id) => together(house, id, (db) => getAgent(db, id))));
      end();
      expect(sent.filter((text) => text.includes('from "agent"'))).toHaveLength(1);
    });
  }

  const oddNames = ["", "it's", '"quoted"', "\\n", "ü 漢 🦊", "null", "1", " ", "{}"];

  test("[ST56] those that save rows in the same way keep their own values, and one that comes late is alone in that", async () => {
    const house = await open();
    const ids = (await Promise.all(oddNames.map((_, place) => house.agent(`a${place}`)))) as AgentId[];
    const read = await house.house.store.read((db) => Promise.all(ids.map((id) => getAgent(db, id))));
    const [late] = read;
    if (!late) throw new Error("nobody was registered");
    await together(house, "first", (db) => saveAgent(db, late, { name: "first" }));
    const saved = await Promise.allSettled(
      read.map((agent, place) =>
        together(house, `s${place}`, (db) =>
          saveAgent(db, agent, { name: oddNames[place] ?? "", currentTaskId: null, lastHeartbeatAt: 1_000 + place }),
        ),
      ),
    );
    const lost = saved.flatMap((one, place) =>
      one.status === "rejected" ? [{ place, reason: one.reason as unknown }] : [],
    );
    expect(lost).toMatchObject([{ place: 0, reason: { code: "STALE" } }]);
    const kept = await house.house.store.read((db) => Promise.all(ids.map((id) => getAgent(db, id))));
    expect(kept.map(({ name }) => name)).toEqual(["first", ...oddNames.slice(1)]);
    expect(kept.slice(1).map(({ lastHeartbeatAt }) => lastHeartbeatAt)).toEqual(
      places(8).map((place) => 1_001 + place),
    );
    expect(new Set(kept.map(({ version }) => version))).toEqual(new Set([2]));
  });

  test("[ST56] a record that one operation saves twice is saved in that order", async () => {
    const house = await open();
    const ids = (await Promise.all(["Ada", "Bo"].map((name) => house.agent(name)))) as AgentId[];
    const read = await house.house.store.read((db) => Promise.all(ids.map((id) => getAgent(db, id))));
    const twice = read.map((agent) =>
      together(house, agent.id, async (db) => {
        await saveAgent(db, agent, { name: `${agent.name} 1` });
        await saveAgent(db, { ...agent, version: agent.version + 1 }, { name: `${agent.name} 2` });
      }),
    );
    await Promise.all(twice);
    const kept = await house.house.store.read((db) => Promise.all(ids.map((id) => getAgent(db, id))));
    expect(kept).toMatchObject([
      { name: "Ada 2", version: 3 },
      { name: "Bo 2", version: 3 },
    ]);
  });

  if (kind === "postgres") {
    test("[ST56] and they are saved with one statement", async () => {
      const house = await open();
      const ids = (await Promise.all(places(8).map((place) => house.agent(`a${place}`)))) as AgentId[];
      const read = await house.house.store.read((db) => Promise.all(ids.map((id) => getAgent(db, id))));
      const { sent, end } = statementsSent();
      await Promise.all(read.map((agent) => together(house, agent.id, (db) => saveAgent(db, agent, { name: "new" }))));
      end();
      expect(sent.filter((text) => text.includes('update "agent"'))).toHaveLength(1);
    });
  }

  test("[ST51] of those that save the record they all have read, one does and the others are told", async () => {
    const house = await open();
    const id = (await house.agent("Ada")) as AgentId;
    const read = await house.house.store.read((db) => getAgent(db, id));
    const settled = await Promise.allSettled(
      places(8).map((place) => together(house, `s${place}`, (db) => saveAgent(db, read, { name: `n${place}` }))),
    );
    const lost = settled.flatMap((one) => (one.status === "rejected" ? [one.reason as unknown] : []));
    expect(lost).toHaveLength(7);
    for (const reason of lost) expect(reason).toMatchObject({ code: "STALE" });
    expect(await recordedSubjects(house)).toHaveLength(1);
    expect(await house.house.store.read((db) => getAgent(db, id))).toMatchObject({ version: 2 });
  });

  test("[ST51] sixteen agents that reach for one task at once: one gets it", async () => {
    const house = await open();
    const { id } = await house.call<{ id: string }>("workflow_create", {
      name: "One",
      source_type: "prompt",
      source_content: "x",
    });
    const tasks = [{ name: "the one", description: "Do it.", sequence: 1 }];
    await house.call("workflow_set_plan", { id, plan: { summary: "s", approach: "a", tasks } });
    const workflow = await house.call<{ tasks: { id: string }[] }>("workflow_get", { id, include_tasks: true });
    const agents = await Promise.all(places(16).map((place) => house.agent(`a${place}`)));
    const answers = await Promise.all(
      agents.map((agent_id) =>
        house.call<{ success: boolean }>("task_claim", { task_id: workflow.tasks[0]?.id, agent_id }),
      ),
    );
    expect(answers.filter(({ success }) => success)).toHaveLength(1);
  });
});
