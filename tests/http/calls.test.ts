import { describe, expect, test } from "vitest";
import { errors } from "../../src/contract/errors.ts";
import { type Ask, addDeveloper, addToken, ask, callTool } from "./raw.ts";
import { type OpenServer, openServer } from "./routes.ts";
import { published, useServer } from "./server.ts";

const server = useServer();

describe("tools over HTTP", () => {
  test("[HT10] the body of /api/tools is the arguments object itself", async () => {
    const made = await ask(server, "POST", "/api/tools/agent_register", { body: { name: "Ada", runtime: "codex" } });
    expect(made.json()["result"]).toEqual({ id: expect.stringMatching(/^ag_/), name: "Ada", status: "online" });
  });

  test("[HT10] a call without a body has no arguments, and null is none of an object", async () => {
    expect((await ask(server, "POST", "/api/tools/repository_list")).json()).toMatchObject({ ok: true });
    expect((await ask(server, "POST", "/api/tools/repository_list", { body: "null" })).status).toBe(400);
  });

  test("[HT10] a tool without an answer has the result null", async () => {
    const answer = await ask(server, "POST", "/api/tools/repository_get", { body: { path: "/srv/none" } });
    expect(answer.json()).toMatchObject({ ok: true, result: null });
  });

  test("[HT11] /api/mcp answers what the MCP text would be, with the token in the header or in the body", async () => {
    const call = { tool: "repository_get", arguments: { path: "/srv/none" } };
    for (const [token, body] of [
      [server.token, call],
      [null, { ...call, token: server.token }],
    ] as const) {
      const answer = await ask(server, "POST", "/api/mcp", { token, body });
      expect([answer.status, answer.headers["content-type"], answer.text]).toEqual([
        200,
        "application/json; charset=utf-8",
        "null",
      ]);
    }
    const listed = await ask(server, "POST", "/api/mcp", { body: { tool: "repository_list" } });
    expect(listed.text).toBe('{"repositories":[],"total":0}');
  });

  test.each<[string, Ask, number, string]>([
    ["bad arguments", { body: { tool: "agent_get", arguments: { id: 5 } } }, 400, "INVALID_REQUEST"],
    ["arguments that are a list", { body: { tool: "agent_get", arguments: [] } }, 400, "INVALID_REQUEST"],
    ["no tool", { body: { arguments: {} } }, 400, "INVALID_REQUEST"],
    ["a tool that is no text", { body: { tool: 5 } }, 400, "INVALID_REQUEST"],
    ["a body that is a list", { body: [] }, 400, "INVALID_REQUEST"],
    ["a body that is no JSON", { body: "{" }, 400, "INVALID_REQUEST"],
    ["no body", {}, 400, "INVALID_REQUEST"],
    ["an unknown tool", { body: { tool: "nothing" } }, 404, "NOT_FOUND"],
    ["an unknown record", { body: { tool: "agent_get", arguments: { id: "x" } } }, 404, "AGENT_NOT_FOUND"],
    ["no token", { token: null, body: { tool: "agent_list" } }, 401, "UNAUTHORIZED"],
    ["another content type", { body: "{}", headers: { "content-type": "text/plain" } }, 415, "INVALID_REQUEST"],
  ])("[HT12] %s on /api/mcp is refused in the plain and in the team family's shape", async (_what, options, status, code) => {
    const answer = await ask(server, "POST", "/api/mcp", options);
    expect(answer.status).toBe(status);
    const body = answer.json<{ hint: string; data: { details?: unknown }; details?: unknown }>();
    expect(body).toMatchObject({
      code,
      message: expect.any(String),
      hint: expect.any(String),
      status: "error",
      feedback: { type: "error", required_action: body.hint },
      data: { code },
    });
    expect(body.data).not.toHaveProperty("details");
  });

  test("[HT26] call_tool runs what it names, and is refused as that is", async () => {
    const wrapped = { name: "repository_list", arguments: { limit: 5 } };
    const answer = await ask(server, "POST", "/api/tools/call_tool", { body: wrapped });
    expect(answer.json()["result"]).toEqual({ repositories: [], total: 0 });
    const listed = await ask(server, "POST", "/api/mcp", { body: { tool: "call_tool", arguments: wrapped } });
    expect(listed.text).toBe('{"repositories":[],"total":0}');
    const refused = async (body: object) =>
      (await ask(server, "POST", "/api/tools/call_tool", { body })).json()["error"] as { code: string };
    expect(await refused({ name: "agent_get", arguments: { id: "ag_none" } })).toMatchObject({
      code: "AGENT_NOT_FOUND",
    });
    expect(await refused({ ...wrapped, more: 1 })).toMatchObject({
      code: "INVALID_REQUEST",
      details: [{ params: { additionalProperty: "more" } }],
    });
    const { token } = await addToken(server, { agent_type: "codex" });
    const asAgent = { token, body: { name: "developer_list" } };
    expect((await ask(server, "POST", "/api/tools/call_tool", asAgent)).status).toBe(403);
  });

  test("[HT18] the catalogue is what is published, with family and effect", async () => {
    const answer = await ask(server, "GET", "/api/tools");
    const { tools } = answer.json<{ result: { tools: unknown[] } }>().result;
    expect(tools).toEqual(published.tools.map(({ family, effect, entry }) => ({ family, effect, ...entry })));
  });

  test("[HT19] tools for people are called like any other, by those they are for", async () => {
    const { token } = await addDeveloper(server, "grace");
    const agent = await addToken(server, { agent_type: "codex" });
    const list = (as: string) => ask(server, "POST", "/api/tools/developer_list", { token: as, body: {} });
    expect((await list(server.token)).status).toBe(200);
    expect((await list(token)).status).toBe(200);
    expect((await list(agent.token)).status).toBe(403);
    const create = { token, body: { handle: "linus" } };
    expect((await ask(server, "POST", "/api/tools/developer_create", create)).status).toBe(403);
  });

  test("[HT16] the status of a refusal says what kind it is", async () => {
    const { token } = await addDeveloper(server, "barbara");
    const own = await callTool<{ id: string }>(server, "agent_register", { name: "Own", runtime: "custom" });
    const refusal = async (tool: string, args: object, as = server.token) => {
      const answer = await ask(server, "POST", `/api/tools/${tool}`, { token: as, body: args });
      return [answer.status, answer.json<{ error: { code: string } }>().error.code];
    };
    await callTool(server, "agent_unregister", { id: own.id });
    expect(await refusal("agent_heartbeat", { agent_id: own.id })).toEqual([409, "INVALID_STATE"]);
    expect(await refusal("developer_create", { handle: "barbara" })).toEqual([409, "CONFLICT"]);
    expect(await refusal("agent_heartbeat", { agent_id: own.id }, token)).toEqual([403, "FORBIDDEN"]);
    expect(await refusal("agent_get", { id: "ag_none" })).toEqual([404, "AGENT_NOT_FOUND"]);
    expect(await refusal("nothing", {})).toEqual([404, "NOT_FOUND"]);
    const metadata = { note: "x".repeat(1_000_000) };
    expect(await refusal("agent_register", { name: "Big", runtime: "custom", metadata })).toEqual([413, "TOO_LARGE"]);
  });
});

describe("idempotency", () => {
  const register = (name: string, key: string, token = server.token) =>
    ask(server, "POST", "/api/tools/agent_register", {
      token,
      body: { name, runtime: "custom" },
      headers: { "idempotency-key": key },
    });

  test("[HT14] the same key is answered as the first time and changes nothing", async () => {
    const first = await register("Once", "key-1");
    const again = await register("Once", "key-1");
    expect(again.json()["result"]).toEqual(first.json()["result"]);
    const other = await register("Another name", "key-1");
    expect([other.status, other.json<{ error: { code: string } }>().error.code]).toEqual([400, "INVALID_REQUEST"]);
    const { agents } = await callTool<{ agents: { name: string }[] }>(server, "agent_list");
    expect(agents.filter(({ name }) => name === "Once" || name === "Another name")).toHaveLength(1);
  });

  test("[HT14] the key of another caller is another key, and for another tool it is refused", async () => {
    const { token } = await addDeveloper(server, "edsger");
    const mine = await register("Mine", "key-2");
    const theirs = await register("Theirs", "key-2", token);
    expect(theirs.json()["result"]).not.toEqual(mine.json()["result"]);
    const other = await ask(server, "POST", "/api/tools/repository_register", {
      body: { path: "/srv/code/x" },
      headers: { "idempotency-key": "key-2" },
    });
    expect([other.status, other.json<{ error: { code: string } }>().error.code]).toEqual([409, "CONFLICT"]);
  });

  test("[HT14] of many calls at once under one key one has effect and all are answered alike", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => register("Twenty", "key-3")));
    expect(new Set(answers.map((answer) => JSON.stringify(answer.json()["result"]))).size).toBe(1);
    const { agents } = await callTool<{ agents: { name: string }[] }>(server, "agent_list", { limit: 500 });
    expect(agents.filter(({ name }) => name === "Twenty")).toHaveLength(1);
  });
});

describe("usage events", () => {
  const leavesOne = async (own: OpenServer, options: Ask & { path?: string; method?: string }): Promise<unknown> => {
    const before = (await own.house.entries("usage")).length;
    await ask(own, options.method ?? "POST", options.path ?? "/api/tools/agent_list", options);
    const left = (await own.house.entries("usage")).slice(before);
    expect(left).toHaveLength(1);
    const { tool, outcome, code, transport } = left[0]?.data ?? {};
    return [tool, outcome, code, transport].filter((part) => part !== undefined).join(" ");
  };

  test("[HT15] every call leaves one, however it ends and however far it came", async () => {
    const own = await openServer();
    const unknown = { path: "/api/tools/nothing", body: {} };
    const plain = (body: unknown) => ({ path: "/api/mcp", body });
    const text = { body: "{}", headers: { "content-type": "text/plain" } };
    const huge = { body: `{"a":"${"x".repeat(9 * 1024 * 1024)}"}` };
    expect(await leavesOne(own, { body: {} })).toBe("agent_list ok http");
    expect(await leavesOne(own, { body: {}, headers: { "x-crewdeck-client": "cli" } })).toBe("agent_list ok cli");
    expect(await leavesOne(own, { body: { limit: 0 } })).toBe("agent_list refused INVALID_REQUEST http");
    expect(await leavesOne(own, { body: "{" })).toBe("agent_list refused INVALID_REQUEST http");
    expect(await leavesOne(own, text)).toBe("agent_list refused INVALID_REQUEST http");
    expect(await leavesOne(own, huge)).toBe("agent_list refused INVALID_REQUEST http");
    expect(await leavesOne(own, { body: {}, token: null })).toBe("agent_list refused UNAUTHORIZED http");
    expect(await leavesOne(own, { body: {}, headers: { host: "evil.example" } })).toBe(
      "agent_list refused FORBIDDEN http",
    );
    expect(await leavesOne(own, unknown)).toBe("nothing refused NOT_FOUND http");
    expect(await leavesOne(own, plain({ tool: "agent_list" }))).toBe("agent_list ok http");
    expect(await leavesOne(own, plain({ tool: "no such tool" }))).toBe("no?such?tool refused NOT_FOUND http");
    expect(await leavesOne(own, plain({}))).toBe("malformed refused INVALID_REQUEST http");
    expect(await leavesOne(own, plain("{"))).toBe("malformed refused INVALID_REQUEST http");
    expect(await leavesOne(own, { path: "/api/tasks", body: {} })).toBe("task_plan refused INVALID_REQUEST http");
    expect(await leavesOne(own, { path: "/api/tasks", body: "{" })).toBe("task_plan refused INVALID_REQUEST http");
    expect(await leavesOne(own, { path: "/api/audit", token: null })).toBe("audit_create refused UNAUTHORIZED http");
  });

  test("[HT15] a read that a tool answers leaves one too, however far it came", async () => {
    const own = await openServer();
    const read = (path: string, options: Ask = {}) => leavesOne(own, { ...options, path, method: "GET" });
    expect(await read("/api/workflows")).toBe("workflow_list ok http");
    expect(await read("/api/workflows?limit=0")).toBe("workflow_list refused INVALID_REQUEST http");
    expect(await read("/api/workflows?colour=red")).toBe("workflow_list refused INVALID_REQUEST http");
    expect(await read("/api/tasks/tk_none")).toBe("task_get refused TASK_NOT_FOUND http");
    expect(await read("/api/state", { token: null })).toBe("team_state refused UNAUTHORIZED http");
  });

  test("[HT26] the usage event of call_tool is that of the tool it names", async () => {
    const own = await openServer();
    const call = (name: string) => ({ path: "/api/tools/call_tool", body: { name } });
    expect(await leavesOne(own, call("agent_list"))).toBe("agent_list ok http");
    expect(await leavesOne(own, call("nothing"))).toBe("nothing refused NOT_FOUND http");
    expect(await leavesOne(own, { path: "/api/tools/call_tool", body: {} })).toBe(
      "call_tool refused INVALID_REQUEST http",
    );
  });

  test("[HT2] every code of the registry has a status that HTTP knows", () => {
    for (const { http } of Object.values(errors)) expect(http).toBeGreaterThanOrEqual(400);
  });
});

test("[HT12] a fault on /api/mcp has the same shape and is found in the log by its id", async () => {
  const logged: Record<string, unknown>[] = [];
  const ignore = () => undefined;
  const keep = (facts: object) => void logged.push(facts as Record<string, unknown>);
  const own = await openServer({ log: { debug: ignore, info: ignore, warn: ignore, error: keep } });
  await own.house.house.store.close();
  const answer = await ask(own, "POST", "/api/mcp", { body: { tool: "agent_list" } });
  const body = answer.json<{ code: string; data: { code: string }; status: string; callId?: string }>();
  expect(answer.status).toBeGreaterThanOrEqual(500);
  expect(body).toMatchObject({ status: "error", data: { code: body.code }, feedback: { type: "error" } });
  if (body.code === "INTERNAL") expect(logged.map(({ callId }) => callId)).toContain(body.callId);
});
