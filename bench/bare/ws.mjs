import { once } from "node:events";
import { WebSocketServer } from "ws";
import { answerQuestions, sharedNow } from "../kit/talk.mjs";

/** The floor of live events: texts that are already there, sent to everybody who is connected. */

const server = new WebSocketServer({ host: "127.0.0.1", port: 0, perMessageDeflate: false });
await once(server, "listening");
let texts = [];

answerQuestions({
  open: () => ({ url: `ws://127.0.0.1:${server.address().port}` }),
  take(given) {
    texts = given;
  },
  announce(count) {
    const startedAt = sharedNow();
    for (const text of texts.slice(0, count)) for (const client of server.clients) client.send(text);
    return startedAt;
  },
  close: () => setTimeout(() => process.exit(), 50) && undefined,
});
