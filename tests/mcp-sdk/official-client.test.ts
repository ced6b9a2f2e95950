import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createHome, ensureBuilt, tokenOf } from "../cli/program.ts";
import { payloadOf } from "../mcp/clients.ts";
import { connectHttp, connectStdio, startServe, ways } from "./clients.ts";
import { allEntries, coreNames, published } from "./published.ts";

const { home, close } = createHome();

beforeAll(async () => {
  await ensureBuilt();
  await startServe(home);
});
afterAll(close);

describe.each(ways)("the official client over $way, $era", ({ way, era, open, mode, revision }) => {
  test("[CN1] settles on a revision and is told who we are", async () => {
    const client = await open(home, { mode });
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    expect(client.getServerVersion()).toMatchObject({ name: "crewdeck", version: published.toolVersion });
    expect(client.getInstructions()).toBe(published.instructions);
  });

  test("[CN2] lists what is published", async () => {
    const short = await open(home, { mode });
    expect((await short.listTools()).tools.map(({ name }) => name)).toEqual(coreNames);
    const long = await open(home, { mode, tools: "all" });
    expect((await long.listTools()).tools).toEqual(allEntries);
    const onDemand = await open(home, { mode, name: "claude-code" });
    expect((await onDemand.listTools()).tools).toEqual(allEntries);
  });

  test("[CN3] calls a tool and finds its answer true to the published schema", async () => {
    const client = await open(home, { mode, tools: "all" });
    // The client checks structured content against the schemas it has listed, and throws where they differ.
    await client.listTools();
    const name = `${way} ${era}`;
    const made = await client.callTool({ name: "agent_register", arguments: { name, runtime: "codex" } });
    const { id } = made.structuredContent as { id: string };
    expect(payloadOf(made)).toEqual({ id, name, status: "online" });
    expect(made.structuredContent).toEqual(payloadOf(made));
    const found = await client.callTool({ name: "agent_get", arguments: { id } });
    expect(found.structuredContent).toMatchObject({ id, name, runtime: "codex" });
  });

  test("[CN3] reaches a tool that is not listed through find_tools and call_tool", async () => {
    const client = await open(home, { mode });
    const found = await client.callTool({ name: "find_tools", arguments: { query: "count unread messages" } });
    expect(JSON.stringify(found.structuredContent)).toContain("message_count_unread");
    const made = await client.callTool({
      name: "call_tool",
      arguments: { name: "repository_register", arguments: { name: "shop", path: "/srv/code/shop" } },
    });
    expect(made.structuredContent).toEqual({ id: expect.stringMatching(/^rp_/) });
  });

  test("[CN4] gets a refusal as a result with advice, and an unknown tool as an error", async () => {
    const client = await open(home, { mode });
    const refused = await client.callTool({ name: "agent_heartbeat", arguments: { agent_id: "ag_none" } });
    expect(refused).toMatchObject({
      isError: true,
      structuredContent: { code: "AGENT_NOT_FOUND", hint: expect.any(String) },
    });
    const misfit = await client.callTool({ name: "agent_register", arguments: { name: 5 } });
    expect(misfit).toMatchObject({ isError: true, structuredContent: { code: "INVALID_REQUEST" } });
    await expect(client.callTool({ name: "nothing", arguments: {} })).rejects.toMatchObject({ code: -32602 });
  });

  test("[CN5] keeps its connection when it gives a call up", async () => {
    const client = await open(home, { mode });
    const giveUp = new AbortController();
    const calls = Array.from({ length: 8 }, () =>
      client.callTool({ name: "agent_list", arguments: {} }, { signal: giveUp.signal }),
    );
    setImmediate(() => giveUp.abort());
    expect((await Promise.allSettled(calls)).map(({ status }) => status)).toContain("rejected");
    expect((await client.callTool({ name: "agent_list", arguments: {} })).isError).toBeFalsy();
  });
});

test("[CN6] what one client does is seen by all, whichever way and era they came in", async () => {
  const clients = await Promise.all(ways.map(({ open, mode }) => open(home, { mode })));
  const names = ways.map(({ way, era }) => `${way} ${era}`);
  await Promise.all(
    clients.map((client, at) =>
      client.callTool({ name: "agent_register", arguments: { name: names[at], runtime: "custom" } }),
    ),
  );
  for (const client of clients) {
    const { structuredContent } = await client.callTool({ name: "agent_list", arguments: { limit: 500 } });
    const { agents } = structuredContent as { agents: { name: string }[] };
    expect(agents.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
  }
});

test("[CN7] a token that is not ours is refused: over HTTP when connecting, over stdio with the first call", async () => {
  const token = `${tokenOf(home).slice(0, -4)}0000`;
  await expect(connectHttp(home, { mode: "legacy", token })).rejects.toMatchObject({ status: 401 });
  const { client } = await connectStdio(home, { mode: "legacy", token });
  expect(await client.callTool({ name: "agent_list", arguments: {} })).toMatchObject({
    isError: true,
    structuredContent: { code: "UNAUTHORIZED" },
  });
});
