import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { makeBareServer } from "./server.mjs";

serveStdio(makeBareServer);
