import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolder, readToken } from "./kit/homes.mjs";
import { HttpClient } from "./kit/http-client.mjs";
import { interleave, percentile } from "./kit/measure.mjs";
import { program, quietEnv, startNode, startServer } from "./kit/programs.mjs";
import { row } from "./kit/rows.mjs";

export const title = "The hook before an edit, as clients call it, against starting Node with nothing to do";

const rounds = 40;
const busyCallers = 8;

export async function run() {
  const home = makeFolder();
  const repository = makeRepository(home);
  const server = await startServer(home);
  const ask = (event) => () => timeHook(home, repository, event);
  const subjects = { node: startEmpty, nothing: ask("Unknown"), edit: ask("PreToolUse") };
  await interleave(2, subjects);
  const idle = await interleave(rounds, subjects);
  const busy = await whileBusy(server.url, readToken(home), () => interleave(rounds, subjects));
  await server.end();
  const aim = { ratioAtMost: 2 };
  return [
    ...rowsOf("nothing to do", idle.nothing, idle.node, aim),
    ...rowsOf("before an edit", idle.edit, idle.node, aim),
    ...rowsOf(`before an edit, ${busyCallers} callers keep the server busy`, busy.edit, busy.node, aim),
  ];
}

const rowsOf = (what, ours, bare, aim) =>
  [0.5, 0.95].map((share) => {
    const name = `p${share * 100}`;
    const values = { value: percentile(ours, share), peerValue: percentile(bare, share) };
    return row({ what: `${what}, ${name}`, unit: "ms", peer: "node -e 0", ...values, aim });
  });

async function startEmpty() {
  const startedAt = performance.now();
  await once(startNode(["-e", "0"]), "exit");
  return performance.now() - startedAt;
}

/** From the start of the program to its end: that is how long a client waits. */
async function timeHook(home, cwd, event) {
  const startedAt = performance.now();
  const hook = startNode([program, "hook", "claude-code"], {
    env: { ...quietEnv(home), HOME: home, COVIBE_HOOK_TIMEOUT: "" },
  });
  const gone = once(hook, "exit");
  hook.stdin.end(
    JSON.stringify({
      session_id: "bench",
      transcript_path: "-",
      cwd,
      hook_event_name: event,
      tool_name: "Edit",
      tool_input: { file_path: join(cwd, "src", "a.ts") },
    }),
  );
  await gone;
  return performance.now() - startedAt;
}

function makeRepository(home) {
  const repository = join(home, "shop");
  mkdirSync(join(repository, ".git"), { recursive: true });
  writeFileSync(join(repository, ".git", "HEAD"), "ref: refs/heads/main\n");
  return repository;
}

/** Callers that ask one thing after the other, a change each time. */
async function whileBusy(url, token, measure) {
  let isOver = false;
  const callers = Array.from({ length: busyCallers }, async (_, place) => {
    const client = new HttpClient(url, token);
    const { id } = await client.callTool("agent_register", { name: `busy-${place}`, runtime: "claude_code" });
    while (!isOver) await client.callTool("agent_heartbeat", { agent_id: id, status: "busy" });
    client.close();
  });
  const measured = await measure();
  isOver = true;
  await Promise.all(callers);
  return measured;
}
