import type { CompiledQuery } from "kysely";
import type { Db } from "./db.ts";

interface Asked {
  readonly query: CompiledQuery<unknown>;
  readonly id: string;
  resolve(rows: object[]): void;
  reject(reason: unknown): void;
}

/**
 * Operations of a group begin alike: each reads its agent, then its task. Rows that several ask for by their id in the same
 * moment are read with one statement, which for PostgreSQL is a fraction of the work.
 */
export class SharedReads {
  readonly #db: Db;
  readonly #asked = new Map<string, Asked[]>();

  constructor(db: Db) {
    this.#db = db;
  }

  /** Answers undefined when the query asks for something else than the row of an id. */
  tryRead<O>(query: CompiledQuery<O>): Promise<O[]> | undefined {
    const table = rowById.exec(query.sql)?.[1];
    const [id] = query.parameters;
    if (table === undefined || typeof id !== "string") return undefined;
    return new Promise<object[]>((resolve, reject) => this.#ask(table, { query, id, resolve, reject })) as Promise<O[]>;
  }

  #ask(table: string, asked: Asked): void {
    const others = this.#asked.get(table);
    if (others) {
      others.push(asked);
      return;
    }
    this.#asked.set(table, [asked]);
    // By then everybody who was about to ask has done so.
    process.nextTick(() => void this.#answer(table));
  }

  async #answer(table: string): Promise<void> {
    const asked = this.#asked.get(table) ?? [];
    this.#asked.delete(table);
    try {
      const rows = new Map<string, Row[]>();
      for (const row of await this.#readAll(table, asked)) rows.set(row.id, [...(rows.get(row.id) ?? []), row]);
      // Each gets objects of its own: what one does to them is nobody else's business.
      for (const { id, resolve } of asked) resolve((rows.get(id) ?? []).map((row) => ({ ...row })));
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }

  #readAll(table: string, asked: readonly Asked[]): Promise<Row[]> {
    const [first] = asked;
    if (first && asked.length === 1) return this.#db.all<Row>({ compile: () => first.query as CompiledQuery<Row> });
    const ids = JSON.stringify([...new Set(asked.map(({ id }) => id))]);
    return this.#db.sql<Row>(`select * from "${table}" where "id" in (select json_array_elements_text($1::json))`, [
      ids,
    ]);
  }
}

interface Row {
  readonly id: string;
}

const rowById = /^select \* from "(\w+)" where "id" = \$1$/;
