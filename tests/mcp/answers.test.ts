import { describe, expect, test } from "vitest";
import { errors } from "../../src/contract/errors.ts";
import { schemaVersion, toolVersion } from "../../src/contract/versions.ts";
import { ask } from "../http/raw.ts";
import { openServer } from "../http/routes.ts";
import { useServer } from "../http/server.ts";
import { payloadOf, ways } from "./clients.ts";
import { type Message, modernMeta, RawPipe } from "./pipe.ts";
import { slowTools } from "./slow-tools.ts";

const server = useServer();

const meta = {
  schemaVersion,
  toolVersion,
  ts: expect.stringMatching(/Z$/),
  requestId: expect.stringMatching(/^call_/),
  durationMs: expect.any(Number),
};

const limitSaid =
  "`limit` must be at least 1. Unknown field `colour`. Valid fields: status, role, runtime, limit, offset.";

const limitZero = {
  code: "INVALID_REQUEST",
  namespaceCode: "crewdeck.invalid_request",
  message: limitSaid,
  hint: errors.INVALID_REQUEST.hint,
  details: [
    {
      instancePath: "/limit",
      schemaPath: "#/properties/limit/minimum",
      keyword: "minimum",
      params: { comparison: ">=", limit: 1 },
      message: "must be >= 1",
    },
    {
      instancePath: "",
      schemaPath: "#/additionalProperties",
      keyword: "additionalProperties",
      params: { additionalProperty: "colour" },
      message: "must NOT have additional properties",
    },
  ],
};

describe.each(ways)("answers, $name", ({ era, connect }) => {
  test("[MC10] a success is compact text, the same structure and what it says about itself", async () => {
    const client = await connect(server);
    const result = await client.callTool({ name: "repository_list", arguments: {} });
    expect(result["isError"]).toBe(false);
    expect(result.content).toEqual([{ type: "text", text: JSON.stringify(result["structuredContent"]) }]);
    expect(payloadOf(result)).toEqual({ repositories: expect.any(Array), total: expect.any(Number) });
    expect(result["_meta"]).toEqual(era === "legacy" ? meta : expect.objectContaining(meta));
  });

  test("[MC11] an answer of null is the text null and has no structure", async () => {
    const client = await connect(server);
    const result = await client.callTool({ name: "repository_get", arguments: { path: "/srv/none" } });
    expect(result.content).toEqual([{ type: "text", text: "null" }]);
    expect(result).not.toHaveProperty("structuredContent");
  });

  test("[MC12] a refusal is an error result with code, message and hint", async () => {
    const client = await connect(server);
    const result = await client.callTool({ name: "agent_get", arguments: { id: "ag_none" } });
    expect(result).toMatchObject({ isError: true, _meta: meta });
    expect(payloadOf(result)).toEqual({
      code: "AGENT_NOT_FOUND",
      namespaceCode: "crewdeck.not_found",
      message: expect.any(String),
      hint: "Find agents with agent_list.",
    });
    expect(result["structuredContent"]).toEqual(payloadOf(result));
  });

  test("[MC13] an unknown tool is a protocol error", async () => {
    const client = await connect(server);
    await expect(client.callTool({ name: "nothing", arguments: {} })).rejects.toMatchObject({
      code: -32602,
      data: { code: "NOT_FOUND", namespaceCode: "crewdeck.not_found", hint: expect.any(String) },
    });
  });

  test("[MC14] bad arguments are an error result that names every violation", async () => {
    const client = await connect(server);
    const result = await client.callTool({ name: "agent_list", arguments: { limit: 0, colour: "red" } });
    expect(result["isError"]).toBe(true);
    expect(payloadOf(result)).toEqual(limitZero);
    expect(result["structuredContent"]).toEqual(limitZero);
  });

  test("[MC17] a repeated call under one key is answered as the first time and changes nothing", async () => {
    const client = await connect(server);
    const create = async (key: string, name = "Shop") =>
      payloadOf(
        await client.callTool({
          name: "workflow_create",
          arguments: { name, source_type: "prompt", source_content: "Sell things." },
          _meta: { "crewdeck/idempotencyKey": key },
        }),
      );
    const key = `mcp ${Math.random()}`;
    const first = await create(key);
    expect(await create(key)).toEqual(first);
    expect(await create(`${key} other`)).not.toEqual(first);
    expect(await create(key, "Another shop")).toMatchObject({ code: "INVALID_REQUEST" });
  });
});

describe("revisions", () => {
  test.each([
    "2024-11-05",
    "2025-03-26",
    "2025-06-18",
  ])("[MC14] for %s bad arguments are a protocol error", async (revision) => {
    const pipe = await RawPipe.open(server);
    await pipe.handshake(revision);
    const { error } = await pipe.callTool(1, "agent_list", { limit: 0, colour: "red" });
    expect(error).toEqual({ code: -32602, message: limitSaid, data: limitZero });
    pipe.close();
  });

  test("[MC14] a connection without a handshake is taken to speak the oldest revision", async () => {
    const pipe = await RawPipe.open(server);
    expect((await pipe.callTool(1, "agent_list", { limit: 0 })).error).toMatchObject({ code: -32602 });
    pipe.close();
  });
});

describe("requests without a session", () => {
  const params = { name: "agent_list", arguments: { limit: 0, colour: "red" } };
  const callIn = async (revision: string | undefined) => {
    const headers = {
      accept: "application/json, text/event-stream",
      ...(revision === undefined ? {} : { "mcp-protocol-version": revision }),
    };
    const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
    const { text } = await ask(server, "POST", "/mcp", { headers, body });
    return JSON.parse(text.slice(text.indexOf("{"))) as Record<string, unknown>;
  };

  test("[MC14] what they say they speak counts, and without a word the oldest revision", async () => {
    for (const revision of [undefined, "2024-11-05", "2025-06-18"])
      expect(await callIn(revision)).toMatchObject({ error: { code: -32602, data: limitZero } });
    expect(await callIn("2025-11-25")).toMatchObject({ result: { isError: true, structuredContent: limitZero } });
  });
});

describe("malformed calls", () => {
  const cases: [string, unknown, unknown][] = [
    ["nothing at all", undefined, { keyword: "required", params: { missingProperty: "name" } }],
    ["no name", { arguments: {} }, { keyword: "required", params: { missingProperty: "name" } }],
    ["a name that is a number", { name: 5 }, { instancePath: "/name", keyword: "type" }],
    ["a name that is null", { name: null }, { instancePath: "/name", keyword: "type" }],
    [
      "arguments that are a list",
      { name: "agent_list", arguments: [] },
      { instancePath: "/arguments", keyword: "type" },
    ],
    [
      "arguments that are null",
      { name: "agent_list", arguments: null },
      { instancePath: "/arguments", keyword: "type" },
    ],
    [
      "arguments that are a text",
      { name: "agent_list", arguments: "{}" },
      { instancePath: "/arguments", keyword: "type" },
    ],
  ];

  test.each(
    cases,
  )("[MC15, MC18] %s is refused with its violation and leaves one usage event", async (_what, params, violation) => {
    const own = await openServer();
    for (const shape of ["legacy", "modern"] as const) {
      const pipe = await RawPipe.open(own);
      if (shape === "legacy") await pipe.handshake();
      else await pipe.request("first", "tools/list", { _meta: modernMeta });
      const before = (await own.house.entries("usage")).length;
      const sent = shape === "modern" ? { ...(params as object), _meta: modernMeta } : params;
      const { error } = await pipe.request(1, "tools/call", sent);
      expect(error).toMatchObject({ code: -32602, data: { code: "INVALID_REQUEST", details: [violation] } });
      const left = (await own.house.entries("usage")).slice(before);
      expect(
        left.map(({ data, developerId }) => [data["outcome"], data["code"], data["transport"], developerId]),
      ).toEqual([["refused", "INVALID_REQUEST", "mcp", own.house.owner.developerId]]);
      pipe.close();
    }
  });
});

describe("usage and faults", () => {
  test("[MC16] a fault is INTERNAL with the call's id, and its text stays in the log", async () => {
    const logged: unknown[] = [];
    const keep = (facts: object) => void logged.push(facts);
    const own = await openServer({
      tools: slowTools,
      log: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: keep },
    });
    for (const { connect } of ways) {
      const client = await connect(own);
      const result = await client.callTool({ name: "failing", arguments: {} });
      expect(JSON.stringify(result)).not.toContain("/srv/hidden");
      const { code, callId } = payloadOf(result) as { code: string; callId: string };
      expect(code).toBe("INTERNAL");
      expect(logged.at(-1)).toMatchObject({ callId, err: { message: "the secret path /srv/hidden is broken" } });
    }
  });

  test("[MC18] every call leaves exactly one usage event, however it ends", async () => {
    const own = await openServer({ tools: slowTools });
    const pipe = await RawPipe.open(own);
    await pipe.handshake();
    const outcomes: [string, unknown, string][] = [
      ["agent_list", {}, "agent_list ok"],
      ["agent_list", { limit: 0 }, "agent_list refused INVALID_REQUEST"],
      ["agent_get", { id: "x" }, "agent_get refused AGENT_NOT_FOUND"],
      ["nothing", {}, "nothing refused NOT_FOUND"],
      ["token_list", {}, "token_list refused NOT_FOUND"],
      ["failing", {}, "failing error INTERNAL"],
      ["call_tool", { name: "agent_list" }, "agent_list ok"],
      ["call_tool", { name: "call_tool", arguments: { name: "agent_list" } }, "call_tool refused NOT_FOUND"],
      ["call_tool", {}, "call_tool refused INVALID_REQUEST"],
      ["find_tools", { query: "agent" }, "find_tools ok"],
    ];
    const answers: Message[] = [];
    for (const [place, [tool, args]] of outcomes.entries()) answers.push(await pipe.callTool(place, tool, args));
    expect(answers).toHaveLength(outcomes.length);
    const left = (await own.house.entries("usage")).map(({ data }) =>
      [data["tool"], data["outcome"], data["code"]].filter((part) => part !== undefined).join(" "),
    );
    expect(left).toEqual(outcomes.map(([, , expected]) => expected));
    pipe.close();
  });
});
