import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { NodeStreamableHTTPServerTransport, toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { makeBareServer } from "./server.mjs";

/** Both eras as the SDK serves them: sessions at `/session`, a server for each request at `/stateless`. */

const sessions = new Map();
const stateless = toNodeHandler(createMcpHandler(makeBareServer));

async function answerInSession(request, response) {
  const known = sessions.get(request.headers["mcp-session-id"]);
  if (known) return known.handleRequest(request, response);
  const transport = new NodeStreamableHTTPServerTransport({
    sessionIdGenerator: () => randomUUID(),
    onsessioninitialized: (id) => void sessions.set(id, transport),
  });
  await makeBareServer().connect(transport);
  return transport.handleRequest(request, response);
}

const server = createServer((request, response) => {
  void (request.url === "/session" ? answerInSession(request, response) : stateless(request, response));
});
server.listen(0, "127.0.0.1", () => console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` })));
