import { type IncomingMessage, request } from "node:http";

/** What a client of either era writes on the wire, by hand, so that nothing of an SDK stands between. */
export const jsonHeaders = { "content-type": "application/json", accept: "application/json, text/event-stream" };

export function post(url: string, message: object, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, { method: "POST", headers: { ...jsonHeaders, ...headers }, body: JSON.stringify(message) });
}

/** Opens a session as clients with a handshake do; answers its id. */
export async function openSession(url: string, headers: Record<string, string> = {}): Promise<string> {
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "tester", version: "1" } };
  const response = await post(url, { jsonrpc: "2.0", id: 1, method: "initialize", params }, headers);
  await response.text();
  const id = response.headers.get("mcp-session-id");
  if (id === null) throw new Error(`no session was opened: ${response.status}`);
  return id;
}

/** A request of the stateless era with the headers it must repeat. */
export function postModern(
  url: string,
  method: string,
  params: Record<string, unknown>,
  { signal, headers = {} }: { signal?: AbortSignal; headers?: Record<string, string> } = {},
): Promise<Response> {
  const revision = "2026-07-28";
  const name = params["name"];
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": revision,
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  return fetch(url, {
    method: "POST",
    headers: {
      ...jsonHeaders,
      "mcp-protocol-version": revision,
      "mcp-method": method,
      ...(typeof name === "string" ? { "mcp-name": name } : {}),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta } }),
    ...(signal ? { signal } : {}),
  });
}

/** A request whose Host is chosen freely, as `fetch` does not allow. */
export function postAs(url: string, headers: Record<string, string>): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: "POST", headers: { ...jsonHeaders, ...headers } }, (response) => {
      response.resume();
      resolve(response);
    });
    sent.on("error", reject);
    sent.end(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }));
  });
}

/** Calls on each event of a stream; ends when the stream does. */
export async function readEvents(
  response: Response,
  receive: (message: Record<string, unknown>) => void,
): Promise<void> {
  let rest = "";
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line.startsWith("data: ")) receive(JSON.parse(line.slice("data: ".length)));
  }
}
