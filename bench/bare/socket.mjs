import { createServer } from "node:net";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { makeBareServer } from "./server.mjs";

/** The bare server behind a socket instead of on stdio. */
const server = createServer({ noDelay: true }, (socket) => {
  socket.on("error", () => socket.destroy());
  serveStdio(makeBareServer, { transport: new StdioServerTransport(socket, socket) });
});
server.listen(0, "127.0.0.1", () => console.log(JSON.stringify({ port: server.address().port })));
