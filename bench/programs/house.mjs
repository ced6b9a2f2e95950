import { removeFolders } from "../kit/homes.mjs";
import { anotherRegistration, openBenchHouse, serveHouse } from "../kit/house.mjs";
import { answerQuestions, sharedNow } from "../kit/talk.mjs";

/** The product with its live channel, in a process that can be told to make events and knows when they were committed. */

const agentCount = 200;
const opened = await openBenchHouse();
let committedAt = 0;
// The first follower: it hears of a commit before any subscriber does.
await opened.house.feed.follow(undefined, { receive: () => (committedAt ||= sharedNow()) });
const http = await serveHouse(opened);
const agents = await Promise.all(
  Array.from({ length: agentCount }, () => opened.call("agent_register", anotherRegistration())),
);

process.once("exit", removeFolders);
answerQuestions({
  open: () => ({ url: `${http.url}/ws`, token: opened.token }),
  /** Makes so many events at once; answers when the first of them was committed. */
  async announce(count) {
    committedAt = 0;
    await Promise.all(agents.slice(0, count).map(({ id }) => opened.call("agent_heartbeat", { agent_id: id })));
    return committedAt;
  },
  async close() {
    await http.close();
    await opened.house.close();
    setTimeout(() => process.exit(), 50);
  },
});
