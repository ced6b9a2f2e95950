import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { TestHouse } from "../../src/testing/house.ts";
import { forEachStillStore } from "./still-house.ts";

interface Created {
  id: string;
  token: string | null;
}

/** Every row of every table, as text. */
async function dump(house: TestHouse): Promise<string> {
  const { store } = house.house;
  await house.entries();
  const names = await store.read((db) =>
    db.sql<{ name: string }>(
      store.dialect === "sqlite"
        ? `select "name" from sqlite_master where "type" = 'table'`
        : `select table_name as "name" from information_schema.tables where table_schema = current_schema()`,
    ),
  );
  const tables: unknown[] = [];
  for (const { name } of names) tables.push(await store.read((db) => db.sql(`select * from "${name}"`)));
  return JSON.stringify(tables);
}

/** The bytes of every file beside a SQLite store, what is deleted but not yet overwritten included. */
const bytesOf = (house: TestHouse): string[] => {
  const folder = dirname(house.location);
  return readdirSync(folder).map((file) => readFileSync(join(folder, file), "latin1"));
};

forEachStillStore("what the store knows of tokens", (open, kind) => {
  test("[ID6] nothing but their hashes is kept, nowhere", async () => {
    const house = await open();
    const texts = [house.ownerToken];
    for (const ask of [{}, { label: "laptop" }, { agent_type: "codex" }]) {
      texts.push((await house.call<{ token: string }>("token_create", ask)).token);
    }
    const keyed = await house.reply("token_create", {}, house.owner, "once");
    texts.push(keyed.ok ? String((keyed.value as Created).token) : "");
    const revoked = await house.call<{ id: string; token: string }>("token_create");
    texts.push(revoked.token);
    await house.call("token_revoke", { id: revoked.id });
    await house.call("token_list");

    const everything = await dump(house);
    const places = kind === "sqlite" ? [everything, ...bytesOf(house)] : [everything];
    for (const text of texts) {
      const secret = text.slice(-43);
      expect(secret).toMatch(/^[\w-]{43}$/);
      expect(everything).toContain(createHash("sha256").update(secret).digest("hex"));
      for (const place of places) {
        expect(place.includes(secret)).toBe(false);
        expect(place.includes(text)).toBe(false);
      }
    }
  });

  test("[ID6] a call repeated under one key makes no second token and does not show the first again", async () => {
    const house = await open();
    const ask = () => house.reply("token_create", { label: "laptop" }, house.owner, "the same key");

    const first = await ask();
    const events = await house.eventsOf(async () => {
      const again = await ask();
      expect(again).toMatchObject({
        ok: true,
        value: { id: first.ok && (first.value as Created).id, token: null },
      });
    });

    expect(first).toMatchObject({ ok: true, value: { token: expect.stringMatching(/^cdk_tok/) } });
    expect(events).toEqual([]);
    expect((await house.call<{ tokens: unknown[] }>("token_list")).tokens).toHaveLength(2);
  });
});
