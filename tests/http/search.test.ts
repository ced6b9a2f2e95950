import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeRepository } from "../git/scratch.ts";
import { ask } from "./raw.ts";
import { openServer } from "./routes.ts";

/** What is told, by name, with the data of each. */
const eventsIn = (text: string) =>
  text
    .trimEnd()
    .split("\n\n")
    .map((part) => {
      const [event = "", data = ""] = part.split("\n");
      return { event: event.slice(7), data: JSON.parse(data.slice(6)) as Record<string, unknown> };
    });

test("[IX20] search has an address of its own, with a stream beside it", async () => {
  const server = await openServer();
  const { path: repoPath } = makeRepository();
  writeFileSync(join(repoPath, "a.ts"), "const needle = 1;\n");
  const body = { repoPath, query: "needle" };
  const early = await ask(server, "POST", "/search", { body });
  expect([early.status, early.json()]).toMatchObject([409, { ok: false, error: { code: "NO_INDEX" } }]);
  const refused = eventsIn((await ask(server, "POST", "/search/stream", { body })).text);
  expect(refused.map(({ event }) => event)).toEqual(["start", "progress", "error", "done"]);
  expect(refused[2]).toMatchObject({ data: { ok: false, error: { code: "NO_INDEX" } } });
  await server.house.call("build_index", { repoPath });
  const full = { ...body, mode: "all", output: "full", context: 1 };
  const told = await server.house.call<{ code: object[] }>("search", full);
  expect(told.code).toMatchObject([{ file: "a.ts" }]);
  // To the letter what the tool answers, but for the time it took.
  const result = { repo: repoPath, search: { ...told, tookMs: expect.any(Number) } };
  const answer = await ask(server, "POST", "/search", { body: full });
  expect(answer.json()).toEqual({ ok: true, result, _meta: expect.any(Object) });
  const events = eventsIn((await ask(server, "POST", "/search/stream", { body: full })).text);
  expect(events.map(({ event }) => event)).toEqual(["start", "progress", "result", "done"]);
  expect(events[2]).toEqual({ event: "result", data: { ok: true, result, _meta: expect.any(Object) } });
  expect((await ask(server, "POST", "/search", { body: { query: "x", unknown: 1 } })).status).toBe(400);
  const text = { headers: { "content-type": "text/plain" }, body: "needle" };
  expect((await ask(server, "POST", "/search", text)).status).toBe(415);
});

test("[HT84] a call tells how far it is as events, where that is asked for", async () => {
  const server = await openServer();
  const { path: repoPath } = makeRepository();
  for (let file = 0; file < 3; file += 1) writeFileSync(join(repoPath, `f${file}.ts`), `const needle = ${file};\n`);
  const headers = { accept: "text/event-stream" };
  const call = async (body: object) =>
    eventsIn((await ask(server, "POST", "/api/tools/build_index", { headers, body })).text);
  const events = await call({ repoPath });
  expect(events.at(-1)).toMatchObject({ event: "result", data: { ok: true, result: { repo: repoPath }, _meta: {} } });
  const told = events.slice(0, -1);
  expect(told.length).toBeGreaterThan(0);
  expect(told).toEqual(
    told.map(() => ({ event: "progress", data: expect.objectContaining({ total: expect.any(Number) }) })),
  );
  const [refused] = await call({ repoPath: join(repoPath, "nowhere") });
  expect(refused).toMatchObject({ event: "result", data: { ok: false, error: { code: "INVALID_REQUEST" } } });
});
