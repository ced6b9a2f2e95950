import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { openTestHouse, type TestHouse } from "../../src/testing/house.ts";
import { until } from "../../src/testing/waiting.ts";
import { BridgeProcess } from "../bridge/bridge-process.ts";
import { ensureBuilt, openHome } from "../cli/program.ts";
import { promptsOf, ReadmeCrew } from "../cli/readme-agents.ts";
import { serveHouse, type TestServer } from "../http/server.ts";
import { connectHttp } from "../mcp/clients.ts";
import { oneTask } from "./work.ts";

beforeAll(ensureBuilt);

const threeMinutes = 180_000;
const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");

type CallTool = <T = Record<string, unknown>>(tool: string, args?: Record<string, unknown>) => Promise<T>;

interface Agent {
  readonly call: CallTool;
  leave(): Promise<unknown>;
}

async function open(): Promise<{ house: TestHouse; server: TestServer & { port: number } }> {
  const house = await openTestHouse("sqlite");
  const serving = await serveHouse(house.house, house.ownerToken);
  const server = { ...serving, port: Number(new URL(serving.url).port) };
  onTestFinished(() => server.close());
  return { house, server };
}

/** A real bridge, as a client starts it. */
async function overBridge(server: TestServer): Promise<Agent> {
  const home = openHome();
  const env = { ...home.env, COVIBE_BASE_URL: server.url, COVIBE_MCP_TOKEN: server.token };
  const bridge = new BridgeProcess({ ...home, env });
  await bridge.initialize();
  return {
    async call<T>(tool: string, args: Record<string, unknown> = {}) {
      const { result } = await bridge.call(tool, args);
      if (!result || result["isError"]) throw new Error(`${tool}: ${JSON.stringify(result)}`);
      return result["structuredContent"] as T;
    },
    leave: () => bridge.hangUp(),
  };
}

/** The official client over streamable HTTP. */
async function overHttp(server: TestServer): Promise<Agent> {
  const client = await connectHttp(server, { era: "legacy" });
  return {
    async call<T>(name: string, args: Record<string, unknown> = {}) {
      const result = await client.callTool({ name, arguments: args });
      if (result.isError) throw new Error(`${name}: ${JSON.stringify(result.content)}`);
      return result.structuredContent as T;
    },
    async leave() {
      const { transport } = client as unknown as { transport: { terminateSession(): Promise<void> } };
      await transport.terminateSession();
    },
  };
}

const ways = [
  { name: "a bridge", connect: overBridge },
  { name: "MCP over HTTP", connect: overHttp },
] as const;

const register = (agent: Agent, name: string) =>
  agent.call<{ id: string; resumed?: boolean }>("agent_register", { name, runtime: "custom" });

describe.each(ways)("the walk through the README over $name, with pauses", ({ connect }) => {
  test("[AG22] agents that think for three minutes between calls stay online and get their mail", async () => {
    const { house, server } = await open();
    const pauseToThink = async () => {
      house.clock.advance(threeMinutes);
      await house.sweep();
    };
    const crew = new ReadmeCrew(() => connect(server), pauseToThink);
    for (const prompt of promptsOf(readme)) await crew.hear(prompt);
    const { agent: ben, id } = crew.of("Ben");
    expect(await ben.call("message_count_unread", { agent_id: id })).toMatchObject({ count: 1 });
  });

  test("[AG22, AG7, AG20, MS25] who hangs up is offline after a minute, and is the same again after coming back", async () => {
    const { house, server } = await open();
    const ada = await connect(server);
    const { id } = await register(ada, "Ada");
    house.clock.advance(threeMinutes);
    await house.sweep();
    await ada.leave();
    await until(() => house.house.presence.openConnections === 0);
    house.clock.advance(61_000);
    await house.sweep();
    expect(await house.call("agent_get", { id })).toMatchObject({ status: "offline" });

    const peer = await house.agent("Ben");
    const letter = { sender_id: peer, recipient_id: id, message_type: "query", body: "Still there?" };
    expect(await house.call("message_send", letter)).toMatchObject({
      recipient_status: "offline",
      notice: expect.stringContaining("offline"),
    });
    const back = await connect(server);
    expect(await register(back, "Ada")).toMatchObject({ id, resumed: true });
    expect(await back.call("message_count_unread", { agent_id: id })).toMatchObject({ count: 1 });
  });

  test("[AG21] two clients that use one name at the same time are two agents", async () => {
    const { server } = await open();
    const [one, two] = [await connect(server), await connect(server)];
    const first = await register(one, "claude");
    const second = await register(two, "claude");
    expect(second).not.toHaveProperty("resumed");
    expect(second.id).not.toBe(first.id);
    expect((await register(one, "claude")).id).toBe(first.id);
  });
});

test("[AG23, AG24] a bridge that is idle while its server restarts finds it again: same agent, same task", async () => {
  const { house, server } = await open();
  const ada = await overBridge(server);
  const { id } = await register(ada, "Ada");
  const task_id = await oneTask(house);
  await ada.call("task_claim", { task_id, agent_id: id });
  await server.close();
  await house.house.close();

  const next = await openTestHouse("sqlite", { location: house.location });
  await next.sweep();
  const owner = await next.house.authenticator.identify(server.token);
  const again = await serveHouse(next.house, server.token, [], server.port);
  onTestFinished(() => again.close());
  await until(() => next.house.presence.openConnections === 1);
  for (let pauses = 0; pauses < 3; pauses += 1) {
    next.clock.advance(threeMinutes);
    await next.sweep();
  }
  expect(await next.call("agent_get", { id }, owner)).toMatchObject({ status: "busy", current_task_id: task_id });
  expect(await next.call("task_get", { id: task_id }, owner)).toMatchObject({ claimed_by: id });
});
