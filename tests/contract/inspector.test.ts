import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { listTools, type McpTool, parseSelection } from "../../src/contract/listing.ts";
import { catalogue } from "./parts.ts";

const root = join(import.meta.dirname, "../..");
const inspector = join(root, "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js");
const listServer = join(import.meta.dirname, "list-server.mjs");

/** What the inspector says of a list: its exit code, what it printed, what it complained about. */
async function inspect(tools: readonly unknown[]) {
  const folder = mkdtempSync(join(tmpdir(), "crewdeck-list-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "tools.json");
  writeFileSync(file, JSON.stringify(tools));
  const args = [inspector, "--cli", process.execPath, listServer, file, "--method", "tools/list", "--strict"];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, {
    maxBuffer: 1 << 24,
    env: { ...process.env, HOME: folder },
  }).catch((error: { stdout: string; stderr: string }) => error);
  return { stdout, stderr };
}

const lists: Record<string, readonly McpTool[]> = {
  "the whole catalogue": listTools(catalogue, parseSelection("all", {}, catalogue), undefined),
  "the core list": listTools(catalogue, parseSelection("core", {}, catalogue), undefined),
  "the find and call tools": catalogue.helpers,
};

test.each(Object.keys(lists))("[CT14] the inspector has nothing to say about %s", async (title) => {
  const tools = lists[title] ?? [];
  const { stdout, stderr } = await inspect(tools);
  expect(stderr).not.toMatch(/^(Warning|Error): tool/m);
  expect(JSON.parse(stdout)).toMatchObject({ tools: tools.map(({ name }) => ({ name })) });
});

test("[CT14] the inspector would have said something about a list of types", async () => {
  const [tool] = catalogue.tools;
  const inputSchema = { type: "object", properties: { key: { type: ["string", "null"] } } };
  const { stderr } = await inspect([{ ...tool?.entry, inputSchema }]);
  expect(stderr).toContain("Warning: tool");
});
