import { describe, expect, test } from "vitest";
import { ask } from "../http/raw.ts";
import { published, useServer } from "../http/server.ts";
import { payloadOf, ways } from "./clients.ts";
import { RawPipe } from "./pipe.ts";

const server = useServer();
const notFound = { code: -32602, data: { code: "NOT_FOUND" } };

describe.each(ways)("what a connection may use, $name", ({ connect }) => {
  const namesFor = async (options: Parameters<typeof connect>[1]) =>
    (await (await connect(server, options)).listTools()).tools.map(({ name }) => name);

  test("[MC20] the query or the header choose the list, the header first", async () => {
    expect(await namesFor({ query: "?tools=agent_get,message_get" })).toEqual(["agent_get", "message_get"]);
    expect(await namesFor({ headers: { "x-crewdeck-tools": "agent_get" } })).toEqual(["agent_get"]);
    expect(await namesFor({ query: "?tools=message_get", headers: { "x-crewdeck-tools": "agent_get" } })).toEqual([
      "agent_get",
    ]);
    expect(await namesFor({ query: "?tools=all" })).toEqual(published.tools.map(({ name }) => name));
  });

  test("[MC20] what is not listed can still be called", async () => {
    const client = await connect(server, { query: "?tools=agent_get" });
    expect(await client.callTool({ name: "repository_list", arguments: {} })).toMatchObject({ structuredContent: {} });
  });

  test("[MC21] exclusions of both places hold, for the list, for calls and through call_tool", async () => {
    const options = { query: "?tools=all&exclude=agent_get", headers: { "x-crewdeck-exclude": "message_get" } };
    const names = await namesFor(options);
    expect(names).toContain("agent_list");
    expect(names).not.toContain("agent_get");
    expect(names).not.toContain("message_get");
    const client = await connect(server, options);
    for (const name of ["agent_get", "message_get"]) {
      const args = { id: "x" };
      await expect(client.callTool({ name, arguments: args })).rejects.toMatchObject(notFound);
      const wrapped = { name: "call_tool", arguments: { name, arguments: args } };
      await expect(client.callTool(wrapped)).rejects.toMatchObject(notFound);
    }
  });

  test("[MC21] call_tool itself can be excluded", async () => {
    const client = await connect(server, { query: "?exclude=call_tool" });
    expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain("call_tool");
    const call = { name: "call_tool", arguments: { name: "repository_list" } };
    await expect(client.callTool(call)).rejects.toMatchObject(notFound);
  });

  test.each([
    { query: "?tools=all&read_only=1" },
    { headers: { "x-crewdeck-tools": "all", "x-crewdeck-read-only": "true" } },
  ])("[MC22] read-only refuses what changes something: %j", async (options) => {
    const names = await namesFor(options);
    const readers = published.tools.filter(({ effect }) => effect === "read").map(({ name }) => name);
    expect(names).toEqual(readers);
    const client = await connect(server, options);
    const args = { name: "Ada", runtime: "custom" };
    for (const call of [
      { name: "agent_register", arguments: args },
      { name: "call_tool", arguments: { name: "agent_register", arguments: args } },
    ]) {
      await expect(client.callTool(call)).rejects.toMatchObject(notFound);
    }
    expect(await client.callTool({ name: "agent_list", arguments: {} })).toHaveProperty("isError", false);
  });

  test("[MC23] find_tools finds what is not listed and call_tool runs it", async () => {
    const client = await connect(server);
    const found = payloadOf(await client.callTool({ name: "find_tools", arguments: { query: "repository look up" } }));
    const { tools } = found as { tools: { name: string; input_schema: object }[] };
    expect(tools[0]).toMatchObject({ name: "repository_get", input_schema: { type: "object", required: ["path"] } });
    const call = { name: "call_tool", arguments: { name: "repository_get", arguments: { path: "/srv/none" } } };
    expect((await client.callTool(call)).content).toEqual([{ type: "text", text: "null" }]);
  });

  test("[MC23] call_tool refuses arguments of its own that it does not know", async () => {
    const client = await connect(server);
    const wrapped = { name: "agent_register", arguments: { name: "Ada", runtime: "codex" }, agent_id: "ag_other" };
    const result = await client.callTool({ name: "call_tool", arguments: wrapped });
    expect(payloadOf(result)).toMatchObject({
      code: "INVALID_REQUEST",
      details: [{ keyword: "additionalProperties", params: { additionalProperty: "agent_id" } }],
    });
    expect(payloadOf(await client.callTool({ name: "agent_list", arguments: {} }))).toEqual({ agents: [] });
  });

  test("[MC23] find_tools does not find what the connection may not call", async () => {
    const client = await connect(server, { query: "?read_only=1" });
    const found = payloadOf(await client.callTool({ name: "find_tools", arguments: { query: "register", limit: 20 } }));
    const names = (found as { tools: { name: string }[] }).tools.map(({ name }) => name);
    expect(names).not.toContain("agent_register");
  });

  test("[MC24] people and tokens cannot be administered over MCP, not even by the owner", async () => {
    const client = await connect(server, { query: "?tools=all" });
    for (const name of [
      "token_create",
      "token_list",
      "token_revoke",
      "developer_create",
      "developer_list",
      "developer_update",
    ]) {
      await expect(client.callTool({ name, arguments: {} })).rejects.toMatchObject(notFound);
      await expect(client.callTool({ name: "call_tool", arguments: { name } })).rejects.toMatchObject(notFound);
    }
  });
});

describe("choices that cannot be read", () => {
  const choices = ["tools=nonsense", "exclude=nonsense", "tools=-nonsense", "read_only=maybe", "tools=token_list"];

  test.each(choices)("[MC25] ?%s is refused before anything is opened", async (query) => {
    await expect(RawPipe.open(server, { path: `/mcp/pipe?${query}` })).rejects.toMatchObject({ status: 400 });
    const answer = await ask(server, "POST", `/mcp?${query}`, {
      headers: { accept: "application/json, text/event-stream" },
      body: { jsonrpc: "2.0", id: 1, method: "tools/list" },
    });
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({
      jsonrpc: "2.0",
      id: null,
      error: { code: -32600, data: { code: "INVALID_REQUEST" } },
    });
  });
});
