import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openTestHouse } from "../../src/testing/house.ts";
import { addDeveloper, addToken, ask, callTool } from "./raw.ts";
import { openServer } from "./routes.ts";
import { startTestServer } from "./server.ts";

const freshFolder = (): string => {
  const dir = mkdtempSync(join(tmpdir(), "crewdeck-backup-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
};

test("[HT50] only the owner's own token backs up and verifies", async () => {
  const server = await openServer();
  const member = await addDeveloper(server, "grace");
  const agent = await addToken(server, { agent_type: "codex" });
  const file = join(freshFolder(), "copy.db");
  for (const { token } of [member, agent]) {
    expect((await ask(server, "POST", "/api/backup", { token, body: { file } })).status).toBe(403);
    expect((await ask(server, "GET", "/api/verify", { token })).status).toBe(403);
  }
  expect(() => statSync(file)).toThrow("ENOENT");
  const verified = (await ask(server, "GET", "/api/verify")).json()["result"];
  expect(verified).toMatchObject({ isIntact: true, firstBadSeq: null, problems: [] });
});

test("[HT51] a backup is complete, private and opens as a store", async () => {
  const server = await openServer();
  await callTool(server, "agent_register", { name: "Kept", runtime: "custom" });
  const file = join(freshFolder(), "copy.db");
  expect((await ask(server, "POST", "/api/backup", { body: { file } })).json()["result"]).toEqual({ file });
  expect(statSync(file).mode & 0o077).toBe(0);

  const copy = await openTestHouse("sqlite", { location: file });
  const caller = await copy.house.authenticator.identify(server.token);
  const { agents } = await copy.call<{ agents: { name: string }[] }>("agent_list", {}, caller);
  expect(agents.map(({ name }) => name)).toEqual(["Kept"]);
});

test("[HT51] a backup needs an absolute path and overwrites nothing", async () => {
  const server = await openServer();
  const file = join(freshFolder(), "precious.txt");
  writeFileSync(file, "precious");
  const backup = async (body: unknown) => (await ask(server, "POST", "/api/backup", { body })).status;
  expect(await backup({ file })).toBe(409);
  expect(readFileSync(file, "utf8")).toBe("precious");
  for (const body of [{ file: "copy.db" }, { file: 5 }, {}, [], { file: "" }, { file: "../copy.db" }]) {
    expect(await backup(body)).toBe(400);
  }
});

test("[HT52] the owner sets a threshold in config.json, where everything else stays; it counts at once and the ledger has it, and what would stop a start is refused", async () => {
  const server = await startTestServer();
  onTestFinished(() => server.close());
  const config = join(server.dir, "config.json");
  writeFileSync(config, JSON.stringify({ allowedHosts: ["deck.local"], overlap: { maxMatches: 9 } }));
  const set = (key: string, value: unknown, token?: string) =>
    ask(server, "POST", "/api/thresholds", { body: { key, value }, ...(token === undefined ? {} : { token }) });
  const { token } = await addDeveloper(server, "grace");
  expect((await set("overlap.escalateThreshold", 0.2, token)).status).toBe(403);
  expect((await set("overlap.escalateThreshold", 0.2)).json()["result"]).toEqual({
    key: "overlap.escalateThreshold",
    value: 0.2,
    needs_restart: false,
  });
  const { thresholds } = (await ask(server, "POST", "/api/tools/settings_get", { body: {} })).json()["result"] as {
    thresholds: { key: string; value: number }[];
  };
  const inForce = Object.fromEntries(thresholds.map(({ key, value }) => [key, value]));
  expect(inForce).toMatchObject({ "overlap.escalateThreshold": 0.2, "overlap.maxMatches": 9 });
  const events = (await ask(server, "GET", "/api/events?kind=team.thresholdSet")).json();
  expect(events["result"]).toMatchObject({
    events: [{ data: { key: "overlap.escalateThreshold", value: 0.2, before: expect.any(Number) } }],
  });
  const kept = { allowedHosts: ["deck.local"], overlap: { maxMatches: 9, escalateThreshold: 0.2 } };
  expect(JSON.parse(readFileSync(config, "utf8"))).toEqual(kept);
  for (const [key, value] of [
    ["overlap.escalateThreshold", 2],
    ["overlap.maxCandidates", 1.5],
    ["overlap.warnFloor", 0.5],
    ["allowedHosts", 1],
    ["overlap.maxMatches", "9"],
  ] as const) {
    expect((await set(key, value)).status).toBe(400);
  }
  expect(JSON.parse(readFileSync(config, "utf8"))).toEqual(kept);
  await set("overlap.escalateThreshold", null);
  expect(JSON.parse(readFileSync(config, "utf8"))).toEqual({
    allowedHosts: ["deck.local"],
    overlap: { maxMatches: 9 },
  });
});
