import { createHash } from "node:crypto";
import type { Writable } from "node:stream";
import pg from "pg";
import { Refusal } from "../contract/refusal.ts";
import { postgresBuilder } from "./compile.ts";
import { bindable, type Db, type Query } from "./db.ts";

/** Counts and times fit a double; read them as numbers, once, here. */
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** One connection of the pool as a Db. */
export class PostgresConnection implements Db {
  readonly dialect = "postgres";
  readonly recordedBefore = [];
  readonly q = postgresBuilder;
  readonly #client: pg.ClientBase;

  constructor(client: pg.ClientBase) {
    this.#client = client;
  }

  async all<O>(query: Query<O>): Promise<O[]> {
    const { sql, parameters } = query.compile();
    return (await this.#query(sql, parameters)).rows as O[];
  }

  async first<O>(query: Query<O>): Promise<O | undefined> {
    return (await this.all(query))[0];
  }

  async run(query: Query<unknown>): Promise<number> {
    const { sql, parameters } = query.compile();
    return (await this.#query(sql, parameters)).rowCount ?? 0;
  }

  async save(query: Query<unknown>): Promise<void> {
    if ((await this.run(query)) === 0) throw new Refusal("STALE", "The record changed meanwhile.");
  }

  async sql<O>(text: string, parameters: readonly unknown[] = []): Promise<O[]> {
    return (await this.#query(text, parameters)).rows as O[];
  }

  #query(text: string, parameters: readonly unknown[]) {
    const values = parameters.map(bindable);
    gatherWrites(this.#client);
    return this.#client.query(values.length > mostNamed ? { text, values } : { name: nameOf(text), text, values });
  }
}

/** Statements that are sent in the same moment leave in one packet: each would cost a system call of its own. */
export function gatherWrites(client: pg.ClientBase): void {
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection;
  if (stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/**
 * Named statements are planned once for each connection and kept there for good. Lists of any length make texts of any
 * number, so beyond this many parameters a statement stays nameless.
 */
const mostNamed = 40;

const names = new Map<string, string>();

function nameOf(text: string): string {
  let name = names.get(text);
  if (!name) {
    name = createHash("sha1").update(text).digest("hex");
    if (names.size >= 2_000) names.clear();
    names.set(text, name);
  }
  return name;
}
