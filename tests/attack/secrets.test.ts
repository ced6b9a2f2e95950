import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Answer, addToken, ask, callTool } from "../http/raw.ts";
import { startTestServer } from "../http/server.ts";
import { RawPipe } from "../mcp/pipe.ts";
import { postMcp } from "../mcp/post.ts";
import { secretOf } from "./canary.ts";

/** Every file below a folder, as text. */
function filesIn(dir: string): { path: string; text: string }[] {
  return readdirSync(dir).flatMap((name) => {
    const path = join(dir, name);
    return statSync(path).isDirectory() ? filesIn(path) : [{ path, text: readFileSync(path, "latin1") }];
  });
}

test("[SE2] no token can be found where it does not belong, however it was handed in", async () => {
  const logged: string[] = [];
  const keep = (facts: object, message: string) => void logged.push(message, JSON.stringify(facts));
  const server = await startTestServer({ debug: keep, info: keep, warn: keep, error: keep });
  onTestFinished(() => server.close());
  const made = await addToken(server, { label: "laptop", agent_type: "codex" });
  const revoked = await addToken(server, { label: "old" });
  await callTool(server, "token_revoke", { id: revoked.tokenId });
  const tokens = [server.token, made.token, revoked.token];
  const answers: Answer[] = [];
  for (const token of tokens) {
    for (const path of [
      `/api/tools/${token}`,
      `/api/me?token=${token}`,
      `/${token}`,
      `/api/events?kind=${token}`,
      `/login?code=${token}`,
    ]) {
      answers.push(await ask(server, "GET", path), await ask(server, "POST", path, { body: { token } }));
    }
    for (const body of [
      { tool: token },
      { tool: "agent_get", arguments: { id: token } },
      { tool: "agent_list", arguments: { [token]: 1 } },
    ]) {
      answers.push(await ask(server, "POST", "/api/mcp", { body: { ...body, token }, token: null }));
    }
    const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: token, arguments: { token } } };
    await postMcp(server, call, { token });
    const pipe = await RawPipe.open(server);
    pipe.send({ ...call, id: 2 });
    await pipe.answerTo(2);
    pipe.send(token);
    pipe.close();
  }
  for (const path of [
    "/status",
    "/metrics",
    "/api/usage?limit=1000",
    "/api/events?limit=1000",
    "/api/tools",
    "/openapi.json",
    "/deck.js",
    "/",
  ]) {
    answers.push(await ask(server, "GET", path));
  }
  const list = await callTool(server, "token_list");
  const copy = join(mkdtempSync(join(tmpdir(), "crewdeck-secret-")), "copy.db");
  onTestFinished(() => rmSync(join(copy, ".."), { recursive: true, force: true }));
  await ask(server, "POST", "/api/backup", { body: { file: copy } });
  expect(existsSync(copy)).toBe(true);

  const places = [
    ...filesIn(server.dir).filter(({ path }) => !path.endsWith("credentials.json")),
    ...filesIn(join(copy, "..")),
    { path: "log", text: logged.join("\\n") },
    { path: "token_list", text: JSON.stringify(list) },
    ...answers.map(({ text, headers }, place) => ({ path: `answer ${place}`, text: text + JSON.stringify(headers) })),
  ];
  expect(places.some(({ path }) => path.endsWith("crewdeck.db"))).toBe(true);
  // The keys of bad arguments are named back to whoever sent them; that answer goes to nobody else.
  const isOwnEcho = (text: string): boolean => text.includes("additionalProperty");
  for (const token of tokens) {
    const secret = secretOf(token);
    expect(secret).toHaveLength(43);
    const found = places.filter(({ text }) => text.includes(secret) && !isOwnEcho(text)).map(({ path }) => path);
    expect(found).toEqual([]);
  }
});
