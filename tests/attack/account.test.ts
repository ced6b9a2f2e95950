import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { callTool } from "../http/raw.ts";
import { useServer } from "../http/server.ts";

const server = useServer();

/** What another account of this machine tries: every file of the home, and the port. Prints what it got. */
const intruder = `
const { openSync, readdirSync } = require("node:fs");
const [dir, url, ...files] = process.argv.slice(1);
const attempt = (act) => { try { act(); return "opened"; } catch (error) { return error.code; } };
const statusOf = async (path, init) => (await fetch(url + path, init)).status;
(async () => console.log(JSON.stringify({
  uid: process.getuid(),
  files: files.map((file) => [file, attempt(() => openSync(dir + "/" + file, "r")), attempt(() => openSync(dir + "/" + file, "r+"))]),
  health: await statusOf("/health"),
  reads: await statusOf("/api/state"),
  writes: await statusOf("/api/tools/agent_list", { method: "POST", body: "{}", headers: { "content-type": "application/json" } }),
})))();`;

interface Loot {
  readonly uid: number;
  readonly files: readonly [string, string, string][];
  readonly health: number;
  readonly reads: number;
  readonly writes: number;
}

const nobody = 65_534;

async function intrude(files: readonly string[]): Promise<Loot> {
  const child = spawn(process.execPath, ["-e", intruder, server.dir, server.url, ...files], {
    uid: nobody,
    gid: nobody,
    cwd: "/",
    env: {},
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [said] = await Promise.all([text(child.stdout), once(child, "exit")]);
  return JSON.parse(said) as Loot;
}

test.runIf(process.getuid?.() === 0)(
  "[SE55] another account of the machine opens no file of the home, and at the port is a stranger",
  async () => {
    await callTool(server, "agent_register", { name: "At work", runtime: "custom" });
    const files = readdirSync(server.dir, { recursive: true, withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name).slice(server.dir.length + 1));
    expect(files).toEqual(expect.arrayContaining(["crewdeck.db", "credentials.json"]));
    // The home cannot be entered; and if its owner opens it, each file is still theirs alone.
    for (const mode of [0o700, 0o755]) {
      chmodSync(server.dir, mode);
      const loot = await intrude(files);
      expect(loot).toEqual({
        uid: nobody,
        files: files.map((file) => [file, "EACCES", "EACCES"]),
        health: 200,
        reads: 401,
        writes: 401,
      });
    }
  },
);
