/** An MCP server of a few lines over stdio. It lists the tools of the JSON file it is given and can do nothing else. */
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const tools = JSON.parse(readFileSync(process.argv[2], "utf8"));

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const result = answer(method, params);
  const error = { code: -32601, message: "Method not found" };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...(result ? { result } : { error }) })}\n`);
}

function answer(method, params) {
  if (method === "tools/list") return { tools };
  if (method === "ping") return {};
  if (method !== "initialize") return undefined;
  const serverInfo = { name: "list", version: "1.0.0" };
  return { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo };
}
