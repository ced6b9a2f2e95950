import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openTestHouse } from "../../src/testing/house.ts";
import { addDeveloper, addToken, ask, callTool } from "./raw.ts";
import { openServer } from "./routes.ts";

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
