import { createServer } from "node:http";

/** An HTTP server on a free port of this machine. `answer` gets the request with its whole body. */
export async function serveLoopback(answer) {
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const text of request.setEncoding("utf8")) body += text;
    answer(request, response, body);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    server,
    url: `http://127.0.0.1:${server.address().port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** A proxy that lets nobody out and remembers who wanted to go where. */
export async function closeDoor() {
  const asked = new Set();
  const door = await serveLoopback((request, response) => {
    asked.add(request.url);
    response.writeHead(403).end();
  });
  door.server.on("connect", (request, socket) => {
    asked.add(request.url);
    socket.on("error", () => undefined);
    socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
  });
  const env = { HTTP_PROXY: door.url, HTTPS_PROXY: door.url, ALL_PROXY: door.url, NO_PROXY: "127.0.0.1,localhost" };
  return { env, asked, close: door.close };
}
