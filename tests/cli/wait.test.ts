import { spawn } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { homeAt } from "../../src/adapters/home.ts";
import { until } from "../../src/testing/waiting.ts";
import { apiAt } from "../../src/transports/cli/api.ts";
import {
  crewdeck,
  crewdeckJson,
  endProcess,
  ensureBuilt,
  type Outcome,
  openHome,
  programFile,
  type TestHome,
} from "./program.ts";

beforeAll(ensureBuilt);

const agent = async (home: TestHome, name: string): Promise<string> =>
  (await crewdeckJson<{ id: string }>(home, "call", "agent_register", "--name", name, "--runtime", "custom")).id;

const send = (home: TestHome, from: string, to: string, subject: string) => {
  const message = { sender_id: from, recipient_id: to, message_type: "query", subject, body: "Which files?" };
  return crewdeckJson(home, "call", "message_send", "--input", JSON.stringify(message));
};

/** A command that waits. */
function start(home: TestHome, args: readonly string[]) {
  const child = spawn(process.execPath, [programFile, "wait", ...args], { env: home.env, stdio: "pipe" });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (text) => {
    stdout += text;
  });
  child.stderr.on("data", (text) => {
    stderr += text;
  });
  const ended = new Promise<Outcome>((resolve) => child.once("close", (code) => resolve({ code, stdout, stderr })));
  return { child, ended };
}

/** Whether a process has begun to talk to a server: then it handles signals too. */
const isConnected = (pid: number): boolean =>
  readdirSync(`/proc/${pid}/fd`).filter(
    (fd) => Number(fd) > 2 && readLink(`/proc/${pid}/fd/${fd}`).startsWith("socket:"),
  ).length > 0;

function readLink(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}

const noted = (home: TestHome) =>
  JSON.parse(readFileSync(join(home.dir, "server.json"), "utf8")) as { pid: number; url: string };

test("[WA40, WA41] it prints what came and where to go on, and ends with 0", async () => {
  const home = openHome();
  const [ada, ben] = [await agent(home, "Ada"), await agent(home, "Ben")];
  await send(home, ben, ada, "The login");
  const first = await crewdeck(home, ["wait", "--agent", "Ada", "--for", "message,answer", "--timeout", "2h"]);
  expect(first).toMatchObject({ code: 0, stderr: "" });
  expect(first.stdout).toMatch(
    /^Message from Ben \(.+\)\. \(.+\)\n {2}The login\n {2}Next: Read it with message_get msg_/,
  );
  const cursor = /--cursor (\S+)/.exec(first.stdout)?.[1] ?? "";
  await send(home, ben, ada, "Again");
  const second = await crewdeckJson<{ news: unknown[]; cursor: string }>(
    home,
    "wait",
    "--agent",
    ada,
    "--cursor",
    cursor,
  );
  expect(second.news).toMatchObject([{ kind: "message", words: "Again" }]);
});

test("[WA41, WA42] nothing in time is 5, wrong use is 2, and no server is 3", async () => {
  const home = openHome();
  await agent(home, "Ada");
  const late = await crewdeck(home, ["wait", "--timeout", "0"]);
  expect(late).toMatchObject({
    code: 5,
    stdout: expect.stringMatching(/^Nothing came\. Continue with: crewdeck wait --cursor /),
  });
  expect(JSON.parse((await crewdeck(home, ["wait", "--timeout", "0s", "--json"])).stdout)).toMatchObject({
    ended: "timeout",
    news: [],
  });
  expect(await crewdeck(home, ["wait", "--for", "weather"])).toMatchObject({ code: 2 });
  expect(await crewdeck(home, ["wait", "--timeout", "soon"])).toMatchObject({ code: 2 });
  expect(await crewdeck(openHome({ COVIBE_BASE_URL: "http://127.0.0.1:9" }), ["wait"])).toMatchObject({ code: 3 });
});

test("[WA42] Ctrl-C ends it with 130", async () => {
  const home = openHome();
  const ada = await agent(home, "Ada");
  const { child, ended } = start(home, ["--agent", ada]);
  await until(() => isConnected(child.pid ?? 0));
  child.kill("SIGINT");
  expect(await ended).toMatchObject({ code: 130, stdout: "", stderr: "" });
});

test("[WA43] it outlives its server, stopped or killed, and tells what comes then once", async () => {
  const home = openHome();
  const [ada, ben] = [await agent(home, "Ada"), await agent(home, "Ben")];
  const first = start(home, ["--agent", ada, "--json"]);
  endProcess(noted(home).pid);
  await send(home, ben, ada, "After a kill");
  const told = JSON.parse((await first.ended).stdout) as { news: unknown[]; cursor: string };
  expect(told.news).toMatchObject([{ words: "After a kill" }]);
  const second = start(home, ["--agent", ada, "--json", "--cursor", told.cursor]);
  expect((await crewdeck(home, ["stop"])).code).toBe(0);
  await send(home, ben, ada, "After a stop");
  expect(JSON.parse((await second.ended).stdout)).toMatchObject({ news: [{ words: "After a stop" }] });
});

test("[WA43] a server that is about to end is told from one with a fault", async () => {
  const words = "Service Unavailable";
  const stopping = createServer((_request, response) => {
    response.writeHead(503).end(JSON.stringify({ error: words, message: words, statusCode: 503 }));
  });
  onTestFinished(() => void stopping.close());
  await new Promise<void>((resolve) => void stopping.listen(0, "127.0.0.1", resolve));
  const { port } = stopping.address() as AddressInfo;
  const api = apiAt(`http://127.0.0.1:${port}`, { home: homeAt(openHome().dir), env: {} });
  await expect(api.call("wait", {})).rejects.toMatchObject({ code: "SERVER_UNREACHABLE" });
});
