import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Log } from "../../src/engine/log.ts";
import { freshLocation, openTestHouse, type StoreKind, type TestHouse } from "../../src/testing/house.ts";
import { secretOf } from "../attack/canary.ts";

const marker = "MARKER-7f3a9c-never-to-be-kept";

/** The marker at every place a report has text: prompts, answers, keys, names, ids. */
const payloads = (secret: string): Record<string, Record<string, unknown>> => ({
  claude: {
    id: marker,
    content: [{ type: "text", text: `${marker} ${secret}` }],
    [marker]: secret,
    model: `${marker} as a model`,
    usage: { input_tokens: 1, output_tokens: 2, [marker]: 3, note: marker },
  },
  openai: {
    model: "gpt-5",
    choices: [{ message: { content: marker } }],
    usage: { prompt_tokens: 5, completion_tokens: 6, secret },
  },
  cursor: { model: secret, tokenUsage: { inputTokens: 7, outputTokens: 8 }, prompt: marker },
  otel: {
    attributes: [
      { key: "gen_ai.usage.input_tokens", value: { intValue: "9" } },
      { key: "gen_ai.usage.output_tokens", value: { intValue: "10" } },
      { key: "gen_ai.prompt", value: { stringValue: marker } },
      { key: marker, value: { stringValue: secret } },
    ],
  },
});

/** Reports that are refused: what was wrong with them must not be repeated either. */
const refused = (secret: string): Record<string, unknown>[] => [
  { source: "claude", payload: { usage: { input_tokens: marker, output_tokens: secret } } },
  { source: "claude", payload: { usage: { total: 4 }, text: marker } },
  { source: "otel", payload: { attributes: [{ key: "gen_ai.usage.input_tokens", value: { intValue: marker } }] } },
  { source: "proxy", payload: { input: 1, output: 1, cost: marker } },
  { source: "claude", payload: { usage: { input_tokens: 1, output_tokens: 1 }, text: marker.repeat(60_000) } },
  { source: "claude", payload: { usage: { input_tokens: 1, output_tokens: 1 }, text: marker }, session_id: "ag_x" },
];

test.each([
  "sqlite",
  "postgres",
] as const)("[US5] no text of a report is found on %s, in a log or in an answer", async (kind) => {
  const logged: string[] = [];
  const keep: Log["info"] = (facts, message) => void logged.push(message, JSON.stringify(facts));
  const location = freshLocation(kind);
  const house = await openTestHouse(kind, { location, log: { debug: keep, info: keep, warn: keep, error: keep } });
  const secret = secretOf(house.ownerToken);
  const answers: unknown[] = [];
  for (const [source, payload] of Object.entries(payloads(house.ownerToken))) {
    for (const key of ["a", "b"]) {
      const args = { source, payload, submitted_cost_usd: 1 };
      answers.push(await house.reply("covibe_ingest_agent_telemetry", args, house.owner, `${source}-${key}`));
    }
  }
  for (const args of refused(house.ownerToken)) {
    const reply = await house.reply("covibe_ingest_agent_telemetry", args);
    expect(reply.ok).toBe(false);
    answers.push(reply);
  }
  answers.push(await house.call("usage_report", { format: "csv" }));
  const entries = [
    ...(await house.entries("work")),
    ...(await house.entries("usage")),
    ...(await house.entries("feedback")),
  ];
  expect(answers.filter((answer) => (answer as { ok?: boolean }).ok)).toHaveLength(8);

  const places = [
    { place: "log", text: logged.join("\n") },
    { place: "answers", text: JSON.stringify(answers) },
    { place: "ledger", text: JSON.stringify(entries) },
    ...(kind === "sqlite" ? filesAround(location) : await tablesOf(house)),
    ...(await backupOf(house, kind)),
  ];
  expect(places.length).toBeGreaterThan(5);
  for (const text of [marker, secret]) {
    expect(places.filter((one) => one.text.includes(text)).map(({ place }) => place)).toEqual([]);
  }
});

const filesAround = (location: string) =>
  readdirSync(dirname(location)).map((name) => ({
    place: name,
    text: readFileSync(join(dirname(location), name), "latin1"),
  }));

async function tablesOf(house: TestHouse): Promise<{ place: string; text: string }[]> {
  return house.house.store.read(async (db) => {
    const tables = await db.sql<{ name: string }>(
      "select table_name as name from information_schema.tables where table_schema = current_schema()",
    );
    const texts = [];
    for (const { name } of tables) {
      const rows = await db.sql(`select * from "${name}"`);
      texts.push({ place: name, text: JSON.stringify(rows) });
    }
    return texts;
  });
}

async function backupOf(house: TestHouse, kind: StoreKind): Promise<{ place: string; text: string }[]> {
  if (kind === "postgres") return [];
  const dir = mkdtempSync(join(tmpdir(), "crewdeck-marker-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  await house.house.store.backup(join(dir, "copy.db"));
  return [{ place: "backup", text: readFileSync(join(dir, "copy.db"), "latin1") }];
}
