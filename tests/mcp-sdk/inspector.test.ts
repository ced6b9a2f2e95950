import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createHome, crewdeckJson, ensureBuilt, programFile, tokenOf } from "../cli/program.ts";
import { serverOf, startServe } from "./clients.ts";
import { allEntries } from "./published.ts";
import { runScript } from "./run-script.ts";

const inspector = fileURLToPath(
  new URL("../../node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js", import.meta.url),
);
const { home, close } = createHome();

beforeAll(async () => {
  await ensureBuilt();
  await startServe(home);
});
afterAll(close);

const inspect = (...args: string[]) => runScript([inspector, "--cli", ...args], { ...home.env, NODE_NO_WARNINGS: "1" });

const targets = {
  // The inspector hands hardly any variables on, so the home has to be said.
  stdio: () => [process.execPath, programFile, "mcp", "--home", home.dir, "--tools", "all"],
  HTTP: () => [
    `${serverOf(home).url}/mcp?tools=all`,
    ...["--transport", "http", "--header", `Authorization: Bearer ${tokenOf(home)}`],
  ],
};

test.each([
  { way: "stdio", era: "modern" },
  { way: "HTTP", era: "legacy" },
] as const)("[CN20] the strict inspector lists every tool over $way, $era era, and has no objection", async ({
  way,
  era,
}) => {
  const { code, stdout, stderr } = await inspect(
    ...targets[way](),
    ...["--protocol-era", era, "--method", "tools/list", "--strict"],
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect((JSON.parse(stdout) as { tools: object[] }).tools).toMatchObject(allEntries);
});

test.each([
  { way: "stdio", era: "legacy", name: "Ada" },
  { way: "HTTP", era: "modern", name: "Ben" },
] as const)("[CN21] the inspector calls a tool over $way, $era era", async ({ way, era, name }) => {
  const { code, stdout } = await inspect(
    ...targets[way](),
    ...["--protocol-era", era, "--method", "tools/call", "--tool-name", "agent_register"],
    ...["--tool-args-json", JSON.stringify({ name, runtime: "custom" }), "--format", "json"],
  );
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ result: { structuredContent: { name, status: "online" } } });
  expect(await crewdeckJson(home, "call", "agent_list")).toMatchObject({
    agents: expect.arrayContaining([expect.objectContaining({ name })]),
  });
});
