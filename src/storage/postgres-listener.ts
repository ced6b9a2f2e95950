import pg from "pg";
import { shareSchema } from "./postgres-holder.ts";

const renewAfterMs = 500;

/** Calls `onNotice` with every notice on a channel, over a connection of its own that is renewed when it is lost. */
export class PostgresListener {
  readonly #config: pg.ClientConfig;
  readonly #schema: string;
  readonly #channel: string;
  readonly #onNotice: (payload: string) => void;
  #client: pg.Client | undefined;
  #renewal: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(
    { config, schema }: { readonly config: pg.ClientConfig; readonly schema: string },
    channel: string,
    onNotice: (payload: string) => void,
  ) {
    this.#config = config;
    this.#schema = schema;
    this.#channel = channel;
    this.#onNotice = onNotice;
  }

  async start(): Promise<void> {
    const client = new pg.Client(this.#config);
    this.#client = client;
    const onLost = () => this.#renew(client);
    client.on("error", onLost);
    client.on("end", onLost);
    client.on("notification", ({ payload }) => this.#onNotice(payload ?? ""));
    try {
      await client.connect();
      await shareSchema(client, this.#schema);
      await client.query(`listen ${pg.escapeIdentifier(this.#channel)}`);
    } catch {
      onLost();
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#renewal);
    await this.#client?.end().catch(() => undefined);
  }

  #renew(lost: pg.Client): void {
    if (this.#client !== lost || this.#isStopped) return;
    this.#client = undefined;
    lost.end().catch(() => undefined);
    this.#renewal = setTimeout(() => void this.start(), renewAfterMs);
    this.#renewal.unref();
  }
}
