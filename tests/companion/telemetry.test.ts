import { spawn } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { companionAt } from "../../src/companion/places.ts";
import { listSessions, writeSession } from "../../src/companion/sessions.ts";
import { crewdeck, crewdeckJson, ensureBuilt, openHome, type TestHome } from "../cli/program.ts";

beforeAll(ensureBuilt);

interface Report {
  readonly recorded: number;
  readonly repeated: number;
  readonly refused: number;
  readonly waiting: number;
  readonly clients: readonly { client: string; requests: number; tokens: number; unattributed: number | null }[];
}

const inboxOf = (home: TestHome): string => {
  const folder = join(home.env["HOME"] ?? "", "inbox");
  mkdirSync(folder, { recursive: true });
  return folder;
};

async function flush(home: TestHome): Promise<Report> {
  const { stdout } = await crewdeck(home, ["telemetry", "--inbox", inboxOf(home), "--json"]);
  return JSON.parse(stdout) as Report;
}

const totalOf = async (home: TestHome): Promise<{ spans: number; total: number }> => {
  const { total } = await crewdeckJson<{ total: { spans: number; total: number } }>(home, "usage");
  return total;
};

test("[TM3, TM4] an inbox is sent once, broken reports are set aside, and what cannot be sent waits", async () => {
  const home = openHome();
  const inbox = inboxOf(home);
  const openai = { id: "r1", model: "gpt-5", usage: { prompt_tokens: 10, completion_tokens: 5 } };
  writeFileSync(join(inbox, "1.json"), JSON.stringify({ source: "openai", payload: openai }));
  writeFileSync(
    join(inbox, "cursor-2.jsonl"),
    `${JSON.stringify({ id: "c1", model: "m", tokenUsage: { inputTokens: 3, outputTokens: 4 } })}\n\n`,
  );
  writeFileSync(join(inbox, "3.json"), JSON.stringify([openai, { id: "p", model: "m", input: 1, output: 1 }]));
  writeFileSync(join(inbox, "broken.json"), "{");
  writeFileSync(join(inbox, "total-only.json"), JSON.stringify({ usage: { total_tokens: 9 } }));
  writeFileSync(join(inbox, "note.txt"), "not a report");

  const away = await crewdeck(
    { ...home, env: { ...home.env, COVIBE_BASE_URL: "http://127.0.0.1:9", COVIBE_MCP_TOKEN: "cdk_x" } },
    ["telemetry", "--inbox", inbox, "--json"],
  );
  expect(away.code).toBe(3);
  expect(readdirSync(inbox)).toContain("1.json");

  expect(await flush(home)).toMatchObject({ recorded: 3, repeated: 1, refused: 1, waiting: 0 });
  expect(await totalOf(home)).toMatchObject({ spans: 3, total: 24 });
  expect(readdirSync(inbox).sort()).toEqual(["note.txt", "refused"]);
  expect(readdirSync(join(inbox, "refused")).sort()).toEqual(["broken.json", "total-only.json"]);
  expect(await flush(home)).toMatchObject({ recorded: 0, repeated: 0, refused: 0, waiting: 0 });
});

test("[TM1, TM5, TM6, TM7, TM8, US36] transcripts of sessions that hooks have named are counted once, over copies, kills and lost notes", async () => {
  const home = openHome();
  await crewdeckJson(home, "up");
  const userHome = home.env["HOME"] ?? "";
  const companion = companionAt(userHome);
  const transcript = join(userHome, "S.jsonl");
  const fork = join(userHome, "F.jsonl");
  const line = (id: string): string =>
    `${JSON.stringify({ type: "assistant", message: { id, model: "claude-sonnet-4-5", usage: { input_tokens: 10, output_tokens: 5 } }, requestId: `r_${id}` })}\n`;
  writeFileSync(transcript, line("a") + line("a") + line("b"));
  mkdirSync(join(userHome, "S", "subagents"), { recursive: true });
  writeFileSync(join(userHome, "S", "subagents", "agent-1.jsonl"), line("sub"));
  const { data } = await crewdeckJson<{ data: { session_id: string } }>(
    home,
    "call",
    "covibe_session",
    "--input",
    '{"operation":"start"}',
  );
  const session = { client: "claude-code", session_id: data.session_id, own: [], repository: userHome, seen_at: "" };
  writeSession(companion, { ...session, session: "S", transcript });

  expect((await flush(home)).clients).toEqual([
    { client: "claude-code", requests: 3, tokens: 45, unattributed: null, unknown: null },
  ]);
  expect((await flush(home)).clients).toEqual([]);
  writeFileSync(fork, line("a") + line("b") + line("c"));
  writeSession(companion, { ...session, session: "F", transcript: fork });
  expect((await flush(home)).clients).toMatchObject([{ requests: 1, tokens: 15 }]);

  // The last message of a client that writes each again counts once the session is over, however late the server comes.
  const last = {
    type: "gemini",
    id: "g1",
    model: "gemini-3-pro",
    tokens: { input: 10, cached: 0, output: 5, thoughts: 0 },
  };
  const gemini = join(userHome, "G.jsonl");
  writeFileSync(gemini, `${JSON.stringify(last)}\n`);
  const over = { ...session, client: "gemini", session: "G", transcript: gemini, ended_at: new Date().toISOString() };
  writeSession(companion, over);
  await crewdeck({ ...home, env: { ...home.env, COVIBE_BASE_URL: "http://127.0.0.1:9", COVIBE_MCP_TOKEN: "cdk_x" } }, [
    "telemetry",
    "--inbox",
    inboxOf(home),
  ]);
  expect((await flush(home)).clients).toMatchObject([{ client: "gemini", requests: 1, tokens: 15 }]);
  expect((await flush(home)).clients).toEqual([]);
  expect(listSessions(companion).map((one) => one.client)).not.toContain("gemini");

  // What Codex says beyond its requests stays on the page, and so does what nobody here can read.
  const codexFile = join(userHome, "C.jsonl");
  const use = { input_tokens: 10, output_tokens: 5 };
  const record = { response_id: "c1", usage: use, thread_token_usage: { total_tokens: 40 } };
  const codexLines = [record, { response_id: "c2", usage: "new" }].map((payload) => ({
    type: "token_usage_record",
    payload,
  }));
  writeFileSync(codexFile, codexLines.map((one) => `${JSON.stringify(one)}\n`).join(""));
  writeSession(companion, { ...session, client: "codex", session: "C", transcript: codexFile });
  const left = { client: "codex", unattributed: 25, unknown: { lines: 1, version: null } };
  expect((await flush(home)).clients).toEqual([{ ...left, requests: 1, tokens: 15 }]);
  expect((await flush(home)).clients).toEqual([{ ...left, requests: 0, tokens: 0 }]);
  expect((await crewdeck(home, ["telemetry", "--inbox", inboxOf(home)])).stdout).toContain("codex: 1 line not counted");

  // Killed at any moment: what was sent is sent again, and known.
  const state = join(companion.telemetryDir, "state.json");
  const before = readFileSync(state, "utf8");
  appendFileSync(transcript, line("d") + line("e"));
  const child = spawn(
    process.execPath,
    [join(process.cwd(), "bin", "crewdeck.js"), "telemetry", "--inbox", inboxOf(home)],
    { env: home.env, stdio: "ignore" },
  );
  await new Promise((resolve) => {
    child.once("exit", resolve);
    child.once("spawn", () => setImmediate(() => child.kill("SIGKILL")));
  });
  await flush(home);
  writeFileSync(state, before);
  await flush(home);
  expect(await totalOf(home)).toMatchObject({ spans: 8, total: 120 });
  expect(existsSync(join(companion.telemetryDir, "state.json"))).toBe(true);
  for (const [by, key, spans] of [
    ["source", "claude-code", 6],
    ["channel", "transcript", 8],
  ] as const) {
    const { groups } = await crewdeckJson<{ groups: { key: string; spans: number }[] }>(home, "usage", "--by", by);
    expect(groups).toContainEqual(expect.objectContaining({ key, spans }));
  }
});
