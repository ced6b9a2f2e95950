import { beforeAll, describe, expect, test } from "vitest";
import { until } from "../../src/testing/waiting.ts";
import { endProcess, ensureBuilt, openHome, serversOf } from "../cli/program.ts";
import { connectStdio, eras, serverOf } from "./clients.ts";

beforeAll(ensureBuilt);

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const [legacy, modern] = eras;

describe.each([legacy, modern])("a client over stdio, $era,", ({ mode }) => {
  test("[CN10, CN11] starts a server with its first call, takes its bridge along and leaves the server", async () => {
    const home = openHome();
    const { client, pid } = await connectStdio(home, { mode });
    await client.listTools();
    expect(serversOf(home.dir)).toEqual([]);
    await client.callTool({ name: "agent_list", arguments: {} });
    expect(serversOf(home.dir)).toEqual([serverOf(home).pid]);
    await client.close();
    await until(() => !isRunning(pid));
    expect(serversOf(home.dir)).toEqual([serverOf(home).pid]);
  });

  test("[CN12] does not notice that its server died", async () => {
    const home = openHome();
    const { client } = await connectStdio(home, { mode });
    await client.callTool({ name: "agent_register", arguments: { name: "Before", runtime: "custom" } });
    const { pid } = serverOf(home);
    endProcess(pid);
    await until(() => !isRunning(pid));
    await client.callTool({ name: "agent_register", arguments: { name: "After", runtime: "custom" } });
    const { structuredContent } = await client.callTool({ name: "agent_list", arguments: {} });
    const { agents } = structuredContent as { agents: { name: string }[] };
    expect(agents.map(({ name }) => name).sort()).toEqual(["After", "Before"]);
    expect(serverOf(home).pid).not.toBe(pid);
  });

  test("[CN13] makes eighty calls at once, and each is answered", async () => {
    const { client } = await connectStdio(openHome(), { mode });
    const names = Array.from({ length: 80 }, (_, at) => `agent ${String(at).padStart(2, "0")}`);
    const answers = await Promise.all(
      names.map((name) => client.callTool({ name: "agent_register", arguments: { name, runtime: "custom" } })),
    );
    expect(answers.map(({ structuredContent }) => (structuredContent as { name: string }).name)).toEqual(names);
  });
});
