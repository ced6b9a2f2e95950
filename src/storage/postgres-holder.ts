import pg from "pg";

/** Beside the numbers for migrations and for sealing. */
const useLock = 7_262_009;

/** Every node holds its schema together with the others, for as long as it listens. */
export const shareSchema = async (client: pg.Client, schema: string): Promise<void> => {
  await client.query("select pg_advisory_lock_shared($1, hashtext($2))", [useLock, schema]);
};

/** Whoever holds a schema alone: no node listens meanwhile. It ends with its connection, however the process ends. */
export class PostgresHolder {
  readonly #client: pg.Client;
  readonly #schema: string;

  constructor(config: pg.ClientConfig, schema: string) {
    this.#client = new pg.Client(config);
    this.#client.on("error", () => undefined);
    this.#schema = schema;
  }

  /** False where a node is at work. */
  async take(): Promise<boolean> {
    await this.#client.connect();
    const text = "select pg_try_advisory_lock($1, hashtext($2)) as taken";
    const { rows } = await this.#client.query<{ taken: boolean }>(text, [useLock, this.#schema]);
    return rows[0]?.taken === true;
  }

  async giveBack(): Promise<void> {
    await this.#client.end().catch(() => undefined);
  }
}
