import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { onTestFinished } from "vitest";
import { programFile, type TestHome, tokenOf } from "../cli/program.ts";

/** How the official client settles on a revision: with the handshake, without it, or as it finds best. */
export const eras = [
  { era: "with handshake", mode: "legacy", revision: "2025-11-25" },
  { era: "without handshake", mode: { pin: "2026-07-28" }, revision: "2026-07-28" },
  { era: "left to choose", mode: "auto", revision: "2026-07-28" },
] as const;

export type Mode = (typeof eras)[number]["mode"];

export interface ClientOptions {
  readonly mode: Mode;
  /** What `--tools` or `?tools=` says. */
  readonly tools?: string;
  readonly name?: string;
  readonly token?: string;
}

/** The official client and the bridge process that it started. */
export async function connectStdio(home: TestHome, options: ClientOptions): Promise<StdioConnection> {
  const env = { ...home.env, ...(options.token === undefined ? {} : { COVIBE_MCP_TOKEN: options.token }) };
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [programFile, "mcp", ...(options.tools === undefined ? [] : ["--tools", options.tools])],
    env: Object.fromEntries(Object.entries(env).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]]))),
  });
  const client = await connect(transport, options);
  return { client, pid: transport.pid ?? 0 };
}

export interface StdioConnection {
  readonly client: Client;
  readonly pid: number;
}

/** The official client at `/mcp` of the server that `serve` started in this home. */
export async function connectHttp(home: TestHome, options: ClientOptions): Promise<Client> {
  const { url } = serverOf(home);
  const query = options.tools === undefined ? "" : `?tools=${options.tools}`;
  const authorization = `Bearer ${options.token ?? tokenOf(home)}`;
  return connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp${query}`), { requestInit: { headers: { authorization } } }),
    options,
  );
}

/** Both ways in, each with all three ways to settle on a revision. */
export const ways = [
  { way: "stdio", open: async (home: TestHome, ask: ClientOptions) => (await connectStdio(home, ask)).client },
  { way: "HTTP", open: connectHttp },
].flatMap((way) => eras.map((era) => ({ ...way, ...era })));

export interface ServerNote {
  readonly url: string;
  readonly pid: number;
}

/** The running server of a home, as its note says. */
export const serverOf = (home: TestHome): ServerNote =>
  JSON.parse(readFileSync(join(home.dir, "server.json"), "utf8")) as ServerNote;

/** `crewdeck serve --json` in this home, on any free port unless one is given; it ends with the home. */
export function startServe(home: TestHome, port = "0"): Promise<ServerNote> {
  const args = [programFile, "serve", "--home", home.dir, "--port", port, "--json"];
  const child = spawn(process.execPath, args, { env: home.env, stdio: ["ignore", "pipe", "ignore"] });
  return new Promise((resolve, reject) => {
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (more: string) => {
      text += more;
      if (text.includes("\n")) resolve(JSON.parse(text) as ServerNote);
    });
    child.once("error", reject);
    child.once("close", (code) => reject(new Error(`serve ended with ${code}`)));
  });
}

async function connect(transport: Transport, { mode, name = "test" }: ClientOptions): Promise<Client> {
  const client = new Client({ name, version: "1" }, { versionNegotiation: { mode } });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}
