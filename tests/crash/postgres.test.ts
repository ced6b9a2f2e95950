import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import type { Reply } from "../../src/engine/call.ts";
import { verifyHouse } from "../../src/engine/verify.ts";
import { openTestHouse, type TestHouse } from "../../src/testing/house.ts";
import { startPostgres, type TestPostgres } from "../../src/testing/postgres.ts";
import { letPass, until } from "../../src/testing/waiting.ts";

const worthRepeating = new Set(["SERVER_UNREACHABLE", "OUTCOME_UNKNOWN", "STALE"]);

interface Figures {
  readonly acked: string[];
  readonly replies: Reply[];
  unknown: number;
}

/** Registers agents, each under a key and a name of its own, and repeats a call until it is answered. */
async function write(house: TestHouse, writer: number, figures: Figures, isOver: () => boolean): Promise<void> {
  for (let round = 0; !isOver(); round += 1) {
    const name = `writer ${writer} round ${round}`;
    for (;;) {
      const reply = await house.reply("agent_register", { name, runtime: "custom" }, house.owner, name);
      figures.replies.push(reply);
      if (reply.ok) break;
      expect(worthRepeating).toContain(reply.failure.code);
      if (reply.failure.code === "OUTCOME_UNKNOWN") figures.unknown += 1;
      await letPass(20, "a client waits a little before it repeats a call");
    }
    figures.acked.push(name);
  }
}

async function terminateBackends(url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query("select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()");
  await client.end();
}

async function disturb(postgres: TestPostgres, figures: Figures): Promise<{ terminations: number; crashes: number }> {
  for (let crash = 1; crash <= 3; crash += 1) {
    for (let round = 0; round < 8; round += 1) {
      await letPass(100 + Math.random() * 150, "connections end at random moments");
      await terminateBackends(postgres.url);
    }
    await letPass(Math.random() * 300, "a crash comes at a random moment");
    await postgres.crashAndRestart();
  }
  const acked = figures.acked.length;
  await until(() => figures.acked.length > acked + 16);
  return { terminations: 24, crashes: 3 };
}

test("[DU5, LG19] terminated connections and crashes of PostgreSQL lose nothing and double nothing", async () => {
  const postgres = await startPostgres();
  onTestFinished(() => postgres.stop());
  const house = await openTestHouse("postgres", { location: `${postgres.url}?schema=crash` });
  const figures: Figures = { acked: [], replies: [], unknown: 0 };
  let isOver = false;
  const writers = Array.from({ length: 16 }, (_, writer) => write(house, writer, figures, () => isOver));
  const { terminations, crashes } = await disturb(postgres, figures);
  isOver = true;
  await Promise.all(writers);

  const usage = await house.entries("usage");
  const agents = await house.house.store.read((db) => db.all(db.q.selectFrom("agent").select(["id", "name"])));
  const registered = (await house.entries()).filter((entry) => entry.kind === "agent.registered");
  const lost = figures.acked.filter((name) => !agents.some((agent) => agent.name === name));
  const doubled = agents.length - new Set(agents.map((agent) => agent.name)).size;
  const replayed = usage.filter((entry) => entry.data["outcome"] === "replayed").length;
  process.stdout.write(
    `postgres: terminations ${terminations} · crashes ${crashes} · acked ${figures.acked.length} · lost ${lost.length} · doubled ${doubled} · unknown outcomes ${figures.unknown} · of them kept ${replayed}\n`,
  );
  expect({ lost, doubled }).toEqual({ lost: [], doubled: 0 });
  expect(registered.map((entry) => entry.subject).sort()).toEqual(agents.map((agent) => agent.id).sort());
  expect(await verifyHouse(house.house)).toMatchObject({ isIntact: true });
  const events = usage.filter((entry) => entry.kind === "agent_register").map((entry) => entry.subject);
  expect(events.sort()).toEqual(figures.replies.map((reply) => reply.callId).sort());
});
