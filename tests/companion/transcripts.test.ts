import { appendFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readPiece } from "../../src/companion/telemetry/transcript.ts";
import { readOn } from "../../src/companion/telemetry/transcript-files.ts";
import { openMachine } from "./scene.ts";

const lines = (...records: readonly object[]): string => `${records.map((one) => JSON.stringify(one)).join("\n")}\n`;

const claudeLine = (id: string, usage: object, more: object = {}): object => ({
  type: "assistant",
  isSidechain: false,
  message: { id, model: "claude-opus-5-5", content: [{ type: "text", text: "x" }], usage },
  requestId: `req_${id}`,
  sessionId: "S",
  version: "2.1.325",
  ...more,
});
const usage = { input_tokens: 11, cache_creation_input_tokens: 200, cache_read_input_tokens: 3000, output_tokens: 77 };
const codexRecord = (response_id: string, total_tokens: number): object => ({
  type: "token_usage_record",
  payload: {
    thread_id: "T",
    turn_id: "U",
    response_id,
    usage: {
      input_tokens: 4000,
      cached_input_tokens: 3000,
      output_tokens: 120,
      reasoning_output_tokens: 64,
      total_tokens: 4120,
    },
    thread_token_usage: { total_tokens },
  },
});

test("[TM1] Claude Code: a message of several blocks is one request, and a copy without counts is none", () => {
  const text = lines(
    { type: "user", message: { role: "user" } },
    claudeLine("msg_1", usage),
    claudeLine("msg_1", usage),
    claudeLine("msg_2", { input_tokens: 0, output_tokens: 0 }),
    { type: "cost-state", total: 999 },
  );
  const { reports } = readPiece("claude-code", text, {});
  expect(new Set(reports.map(({ key }) => key))).toEqual(new Set(["claude:msg_1:req_msg_1"]));
  expect(reports[0]).toMatchObject({
    source: "claude-code",
    total: 3288,
    payload: { id: "msg_1", model: "claude-opus-5-5", usage },
  });
  expect(JSON.stringify(reports)).not.toContain('"x"');
});

test("[TM1] Codex: each response is one request with the model of its turn; repeated sums count nothing", () => {
  const sum = {
    type: "event_msg",
    payload: { type: "token_count", info: { total_token_usage: { input_tokens: 13_550 } } },
  };
  const text = lines(
    { type: "turn_context", payload: { model: "gpt-6.1-sol" } },
    codexRecord("resp_1", 4120),
    sum,
    codexRecord("resp_2", 9000),
    sum,
  );
  const { reports, context } = readPiece("codex", text, {});
  expect(reports.map(({ key, total }) => [key, total])).toEqual([
    ["codex:resp_1", 4120],
    ["codex:resp_2", 4120],
  ]);
  expect(reports[0]?.payload).toMatchObject({
    model: "gpt-6.1-sol",
    usage: { input_tokens: 4000, cached_input_tokens: 3000 },
  });
  expect(context.ownTotal).toBe(9000);
});

test("[TM1] Codex of old: differences of its sums, from the fork's beginning on", () => {
  const step = (at: number, input: number, last: number): object => ({
    timestamp: `t${at}`,
    type: "event_msg",
    payload: {
      type: "token_count",
      info: {
        total_token_usage: { input_tokens: input, output_tokens: 10 * at },
        last_token_usage: { input_tokens: last, output_tokens: 10 },
      },
    },
  });
  const { reports } = readPiece("codex", lines(step(5, 1000, 100), step(5, 1000, 100), step(6, 1300, 300)), {});
  expect(reports.map(({ total }) => total)).toEqual([110, 310]);
});

test("[TM1] Gemini CLI: a message that is written twice counts by its last line, once the next begins", () => {
  const message = (id: string, output: number): object => ({
    type: "gemini",
    id,
    model: "gemini-3-pro",
    tokens: { input: 100, cached: 40, output, thoughts: 5, total: 0 },
  });
  const first = readPiece("gemini", lines(message("a", 1), message("a", 20)), {});
  expect(first.reports).toEqual([]);
  const { reports } = readPiece("gemini", lines({ type: "user", id: "u" }, message("b", 2)), first.context);
  expect(reports).toEqual([
    {
      key: "gemini:a",
      source: "provider",
      total: 125,
      payload: { id: "a", model: "gemini-3-pro", input: 60, output: 25, cache_read: 40, reasoning: 5 },
    },
  ]);
});

test("[TM1] Copilot CLI: each call is one request, its input without what came from the cache", () => {
  const record = {
    type: "session.usage_record",
    data: {
      usage: {
        model: "gpt-6",
        inputTokens: 500,
        outputTokens: 50,
        cacheReadTokens: 300,
        cacheWriteTokens: 0,
        reasoningTokens: 20,
        apiCallId: "call_1",
      },
    },
  };
  const [report] = readPiece("copilot", lines(record), {}).reports;
  expect(report).toMatchObject({
    key: "copilot:call_1",
    total: 550,
    payload: { input: 200, cache_read: 300, output: 50, reasoning: 20 },
  });
});

test("[TM7] lines about usage in an unknown form count nothing, and are counted as such with the client's version", () => {
  const unknownIn = (client: string, ...records: readonly object[]) => {
    const { reports, context } = readPiece(client, lines(...records), {});
    return [reports.length, context.unknown, context.version];
  };
  const message = { id: "m", model: "m", usage: { tokens: { in: 1 } } };
  const synthetic = { type: "assistant", message: { model: "<synthetic>" }, version: "3.0.0" };
  expect(unknownIn("claude-code", { type: "assistant", message, version: "3.0.0" }, synthetic)).toEqual([
    0,
    1,
    "3.0.0",
  ]);
  const meta = (payload: object) => ({ type: "session_meta", payload: { cli_version: "0.200.0", ...payload } });
  const record = { type: "token_usage_record", payload: { response_id: "r", usage: { tokens: 3 } } };
  const limits = { type: "event_msg", payload: { type: "token_count", info: null } };
  expect(unknownIn("codex", meta({}), record, limits)).toEqual([0, 1, "0.200.0"]);
  expect(unknownIn("codex", meta({ history_mode: "paginated" }))).toEqual([0, 1, "0.200.0"]);
  expect(unknownIn("gemini", { type: "gemini", id: "g", tokens: { all: 1 } })).toEqual([0, 1, undefined]);
  expect(unknownIn("copilot", { type: "session.usage_record", data: { usage: { apiCallId: "c" } } })).toEqual([
    0,
    1,
    undefined,
  ]);
});

test("[TM8] what a fork of Codex takes over from its parent is none of its own", () => {
  const meta = { type: "session_meta", payload: { forked_from_id: "T", cli_version: "0.166.0" } };
  const { context } = readPiece("codex", lines(meta, codexRecord("resp_3", 24_120), codexRecord("resp_4", 28_240)), {});
  expect([context.ownTotal, context.parentTotal]).toEqual([28_240, 20_000]);
});

test("[TM2] a file is read on from where it was read to, by whole lines; another of its name from the beginning", () => {
  const machine = openMachine();
  const file = join(machine.userHome, "t.jsonl");
  writeFileSync(file, '{"a":1}\n{"b":');
  const first = readOn(file, undefined);
  expect(first?.text).toBe('{"a":1}\n');
  expect(readOn(file, first?.mark)).toBeUndefined();
  appendFileSync(file, "2}\n");
  const second = readOn(file, first?.mark);
  expect(second).toMatchObject({ text: '{"b":2}\n', isNew: false });
  renameSync(file, `${file}.old`);
  writeFileSync(file, "{}\n");
  expect(readOn(file, second?.mark)).toMatchObject({ text: "{}\n", isNew: true });
  expect(readOn(join(machine.userHome, "none"), undefined)).toBeUndefined();
});
