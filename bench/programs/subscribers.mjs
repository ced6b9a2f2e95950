import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { WebSocket } from "ws";
import { answerQuestions, sharedNow } from "../kit/talk.mjs";

/** Many subscribers in one process. They count what reaches them and note when the last of it did. */

const sockets = [];
const heard = new Set();
let texts = [];
let received = 0;
let due = Number.POSITIVE_INFINITY;
let finish = () => undefined;

answerQuestions({
  async open({ url, token, count }) {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const address = url.replace(/^http/, "ws");
    for (let place = 0; place < count; place += 1) {
      const socket = new WebSocket(address, { headers, perMessageDeflate: false });
      await once(socket, "open");
      socket.on("message", (data) => receive(socket, data));
      socket.send('{"subscribe":["*"]}');
      sockets.push(socket);
    }
  },
  /** How many have heard anything yet. */
  heard: () => heard.size,
  /** Waits until nothing is under way any more, then counts from zero. */
  async expect(messages) {
    for (let before = -1; before !== received; await pause(100)) before = received;
    received = 0;
    texts = [];
    due = messages;
  },
  /** When the last of the expected messages arrived. */
  finished: () => (received >= due ? lastAt : new Promise((resolve) => (finish = resolve))),
  /** What the first subscriber was told. */
  texts: () => texts,
});

let lastAt = 0;

function receive(socket, data) {
  heard.add(socket);
  if (socket === sockets[0]) texts.push(data.toString());
  received += 1;
  if (received !== due) return;
  lastAt = sharedNow();
  finish(lastAt);
}
