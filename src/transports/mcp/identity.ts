import { schemaVersion, serverName, toolVersion } from "../../contract/versions.ts";

/*
 * What the server says about itself before any tool is called. The stdio bridge says the same before the server runs,
 * so both read it here; nothing heavy may be imported by this file.
 */

export const serverInfo = { name: serverName, title: "Crewdeck", version: toolVersion };

/** What this server can do beyond MCP; clients adapt to it (MC3). */
export const capabilityBlock = { mcp: { eras: ["legacy", "modern"], pipe: true }, idempotency: true, events: true };

export const serverCapabilities = {
  tools: { listChanged: false },
  experimental: { crewdeck: { schemaVersion, toolVersion, capabilities: capabilityBlock } },
};

/** Lists and the server's description change with its version only, so clients and their proxies may keep them. */
export const cacheHint = { ttlMs: 300_000, cacheScope: "public" } as const;
