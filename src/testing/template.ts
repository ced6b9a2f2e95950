import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { onTestFinished } from "vitest";
import { openStore } from "../storage/open.ts";
import type { StoreHooks } from "../storage/store.ts";

/** The database that every test's own is copied from: migrated once, and nobody is ever connected to it again. */
const template = "crewdeck_template";

const noHooks: StoreHooks = {
  check: () => undefined,
  append: async () => [],
  committed: () => undefined,
};

async function migrateAt(location: string): Promise<void> {
  const store = await openStore(location, noHooks, Date.now);
  await store.close();
}

/** Called once for each server, before the first copy. */
export async function makePostgresTemplate(serverUrl: string): Promise<void> {
  const client = new pg.Client(serverUrl);
  await client.connect();
  await client.query(`create database ${template}`);
  await client.end();
  await migrateAt(databaseOf(serverUrl, template));
}

let copies = 0;

/** A database of the test's own with the tables of today and nothing in them; gone when the test is over. */
export async function copyPostgresTemplate(serverUrl: string): Promise<string> {
  copies += 1;
  const name = `t${process.pid}_${copies}`;
  // Through files and not through the log, which the server would have to write as well.
  await command(serverUrl, `create database ${name} template ${template} strategy file_copy`);
  onTestFinished(() => command(serverUrl, `drop database if exists ${name} with (force)`));
  return databaseOf(serverUrl, name);
}

let sqliteTemplate: Promise<Buffer> | undefined;

/** Makes a file with the tables of today and nothing in them. */
export async function copySqliteTemplate(file: string): Promise<void> {
  sqliteTemplate ??= makeSqliteTemplate();
  writeFileSync(file, await sqliteTemplate, { mode: 0o600 });
}

async function makeSqliteTemplate(): Promise<Buffer> {
  const dir = mkdtempSync(join(tmpdir(), "crewdeck-template-"));
  try {
    const file = join(dir, "crewdeck.db");
    await migrateAt(file);
    return readFileSync(file);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function databaseOf(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.toString();
}

let connection: Promise<pg.Client> | undefined;

/** One connection for each process, which neither keeps it alive nor minds that the server is gone at the end. */
async function command(serverUrl: string, text: string): Promise<void> {
  connection ??= connect(serverUrl);
  await (await connection).query(text);
}

async function connect(serverUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: serverUrl, stream: () => new Socket().unref() });
  client.on("error", () => undefined);
  await client.connect();
  return client;
}
