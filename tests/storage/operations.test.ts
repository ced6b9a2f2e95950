import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Db } from "../../src/storage/db.ts";
import { forEachStore } from "../../src/testing/house.ts";
import { entryAbout, keptKeys, keysOf, putDurably, putRow, recordedSubjects } from "./rows.ts";

forEachStore("operations", (open, kind) => {
  test("[ST1] a read sees the moment it began at, whatever is committed meanwhile", async () => {
    const house = await open();
    await putDurably(house, "before");
    const seen = await house.house.store.read(async (db) => {
      const first = await keysOf(db);
      await putDurably(house, "meanwhile");
      return { first, second: await keysOf(db) };
    });
    expect(seen).toEqual({ first: ["before"], second: ["before"] });
    expect(await keptKeys(house)).toEqual(["before", "meanwhile"]);
  });

  test("[ST2] every read that begins after the answer sees the change", async () => {
    const house = await open();
    for (let round = 0; round < 30; round += 1) {
      const idle = house.house.store.read(keysOf);
      await putDurably(house, `r${round}`);
      expect(await keptKeys(house)).toContain(`r${round}`);
      await idle;
    }
  });

  test("[ST3] rows and entries of an operation are kept together", async () => {
    const house = await open();
    await putDurably(house, "kept");
    const failing = house.house.store.transact(async (db) => {
      await putRow(db, "lost");
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(await keptKeys(house)).toEqual(["kept"]);
    expect(await recordedSubjects(house)).toEqual(["kept"]);
  });

  test("[ST4] of forty operations at once those that fail are rolled back alone", async () => {
    const house = await open();
    const operations = Array.from({ length: 40 }, (_, place) =>
      house.house.store.transact(async (db) => {
        await putRow(db, `k${place}`);
        if (place % 4 === 1) throw new Error(`no ${place}`);
        if (place % 4 === 2) await db.sql("select * from nowhere");
        return { value: place, entries: [entryAbout(`k${place}`)] };
      }),
    );
    const settled = await Promise.allSettled(operations);
    const good = Array.from({ length: 40 }, (_, place) => place).filter((place) => place % 4 === 0 || place % 4 === 3);
    expect(settled.flatMap((one, place) => (one.status === "fulfilled" ? [place] : []))).toEqual(good);
    expect(new Set(await keptKeys(house))).toEqual(new Set(good.map((place) => `k${place}`)));
    expect(new Set(await recordedSubjects(house))).toEqual(new Set(good.map((place) => `k${place}`)));
  });

  test("[ST5] an operation that is aborted while it runs changes nothing", async () => {
    const house = await open();
    const controller = new AbortController();
    const aborted = house.house.store.transact(
      async (db) => {
        await putRow(db, "lost");
        controller.abort(new Error("given up"));
        return { value: 1, entries: [entryAbout("lost")] };
      },
      { signal: controller.signal },
    );
    const neighbour = putDurably(house, "kept");
    await expect(aborted).rejects.toThrow("given up");
    await neighbour;
    expect(await keptKeys(house)).toEqual(["kept"]);
    expect(await recordedSubjects(house)).toEqual(["kept"]);
  });

  test("[ST5] an operation that is aborted while it waits is never begun", async () => {
    const house = await open();
    const controller = new AbortController();
    let hasBegun = false;
    const waiting = house.house.store.transact(
      async () => {
        hasBegun = true;
        return { value: 1, entries: [] };
      },
      { signal: AbortSignal.abort(new Error("given up")) },
    );
    await expect(waiting).rejects.toThrow("given up");
    expect(hasBegun).toBe(false);
    controller.abort();
  });

  test("[ST5] an abort after the operation has finished comes too late", async () => {
    const house = await open();
    const controller = new AbortController();
    const done = house.house.store.transact(
      async (db) => {
        await putRow(db, "kept");
        return { value: "done", entries: [] };
      },
      { signal: controller.signal },
    );
    await done;
    controller.abort();
    expect(await keptKeys(house)).toEqual(["kept"]);
  });

  test("[ST6] an operation that hangs is given up, and what it does later lands nowhere", async () => {
    const house = await open();
    const controller = new AbortController();
    let resume: () => void = () => undefined;
    let late: Promise<unknown> = Promise.resolve();
    const hanging = house.house.store.transact(
      async (db) => {
        await putRow(db, "lost");
        setImmediate(() => controller.abort(new Error("too slow")));
        await new Promise<void>((resolve) => {
          resume = resolve;
        });
        late = putRow(db, "late");
        await late;
        return { value: 1, entries: [] };
      },
      { signal: controller.signal },
    );
    await expect(hanging).rejects.toThrow("too slow");
    await house.house.store.transact(async (db) => {
      resume();
      await turn();
      await expect(late).rejects.toThrow("over");
      await putRow(db, "neighbour");
      return { value: 1, entries: [] };
    });
    expect(await keptKeys(house)).toEqual(["neighbour"]);
  });

  test("[ST6] a read that hangs is given up and the next one is answered", async () => {
    const house = await open();
    const controller = new AbortController();
    const hang = () => {
      setImmediate(() => controller.abort(new Error("too slow")));
      return new Promise(() => undefined);
    };
    const hanging = house.house.store.read(hang, { signal: controller.signal });
    const next = house.house.store.read(keysOf);
    await expect(hanging).rejects.toThrow("too slow");
    expect(await next).toEqual([]);
  });

  test("[ST6] a transaction that somebody kept for later use is dead", async () => {
    const house = await open();
    let kept: Db | undefined;
    await house.house.store.transact(async (db) => {
      kept = db;
      return { value: 1, entries: [] };
    });
    await turn();
    await expect(kept ? putRow(kept, "late") : undefined).rejects.toThrow("the transaction of this operation is over");
  });

  test("[ST7] a swallowed failure is followed by everything or by nothing", async () => {
    const house = await open();
    const outcome = await house.house.store
      .transact(async (db) => {
        await putRow(db, "first");
        await putRow(db, "first").catch(() => undefined);
        await putRow(db, "second").catch(() => undefined);
        return { value: "kept", entries: [] };
      })
      .catch(() => "refused");
    expect({ outcome, keys: await keptKeys(house) }).toEqual(
      kind === "sqlite" ? { outcome: "kept", keys: ["first", "second"] } : { outcome: "refused", keys: [] },
    );
  });

  test("[ST8] what a closing store has taken is finished, the rest refused", async () => {
    const house = await open();
    const taken = Array.from({ length: 20 }, (_, place) => putDurably(house, `k${place}`));
    const reads = Array.from({ length: 5 }, () => house.house.store.read(keysOf));
    const closed = house.house.store.close();
    await expect(putDurably(house, "late")).rejects.toMatchObject({ code: "SERVER_UNREACHABLE" });
    await expect(house.house.store.read(keysOf)).rejects.toMatchObject({ code: "SERVER_UNREACHABLE" });
    expect(await Promise.all(taken)).toHaveLength(20);
    expect(await Promise.all(reads)).toHaveLength(5);
    await closed;
    await house.house.store.close();
  });
});
