import { Agent, request as httpRequest } from "node:http";
import fc from "fast-check";
import { expect, test } from "vitest";
import { patienceMs } from "../../src/testing/waiting.ts";
import { everyTool } from "../contract/parts.ts";
import { ask, callTool } from "../http/raw.ts";
import { impatient, type OpenServer, openServer } from "../http/routes.ts";
import {
  call,
  message,
  mutated,
  operationCall,
  sample,
  seed,
  toolArguments,
  validCall,
  validMessage,
  watchfulLog,
} from "./fuzz.ts";

const atOnce = 16;

interface Shot {
  readonly path: string;
  readonly body: Uint8Array;
}

const bodiesOf = (texts: fc.Arbitrary<string>): fc.Arbitrary<Uint8Array> =>
  fc.oneof(
    { weight: 4, arbitrary: texts.map((text) => Buffer.from(text)) },
    { weight: 4, arbitrary: mutated(texts) },
    fc.uint8Array({ maxLength: 200 }),
  );

const shots = (path: fc.Arbitrary<string>, texts: fc.Arbitrary<string>): fc.Arbitrary<Shot> =>
  fc.record({ path, body: bodiesOf(texts) });

const jsonOf = <T>(values: fc.Arbitrary<T>): fc.Arbitrary<string> => values.map((value) => JSON.stringify(value));
const names = fc.oneof(fc.constantFrom(...everyTool.map(({ name }) => name)), fc.string({ maxLength: 20 }));

const targets: [string, fc.Arbitrary<Shot>, number][] = [
  ["/mcp", shots(fc.constant("/mcp"), jsonOf(fc.oneof(message, validMessage))), 4_000],
  ["/api/mcp", shots(fc.constant("/api/mcp"), jsonOf(fc.oneof(call, validCall))), 3_000],
  [
    "/api/tools",
    shots(
      names.map((name) => `/api/tools/${encodeURIComponent(name)}`),
      jsonOf(toolArguments),
    ),
    3_000,
  ],
  [
    "the operations of doors",
    operationCall.chain(({ name, arguments: args }) =>
      shots(fc.constant(`/api/tools/${name}`), fc.constant(JSON.stringify(args))),
    ),
    3_000,
  ],
];

/** Sends one body; answers its status, or fails when patience ends without one. */
function fire(server: OpenServer, agent: Agent, { path, body }: Shot): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${server.token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "content-length": body.length,
    };
    const request = httpRequest(
      `${server.url}${path}`,
      { method: "POST", agent, headers, timeout: patienceMs },
      (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (part: string) => {
          text += part;
        });
        response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
        response.on("error", reject);
      },
    );
    const shown = () => `(seed ${seed}) ${path} ${Buffer.from(body).toString("latin1")}`;
    request.on("timeout", () => request.destroy(new Error(`no answer ${shown()}`)));
    request.on("error", (error) => reject(new Error(`${error.message} ${shown()}`)));
    request.end(body);
  });
}

/** 408 is a limit of ours, 502 a download that was not what it should be. */
const right = new Set([200, 202, 400, 403, 404, 405, 406, 408, 409, 413, 415, 422, 429, 501, 502]);

test.each(targets)("[SE51] %s answers or refuses whatever bodies arrive", async (name, arbitrary, count) => {
  const { log, faults } = watchfulLog();
  const server = await openServer({ log, settings: impatient });
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const queue = sample(arbitrary, count, name.length);
  const statuses = new Map<number, number>();
  const wrong: unknown[] = [];
  let slowest = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let shot = queue.pop(); shot; shot = queue.pop()) {
        const begun = performance.now();
        const { status, text } = await fire(server, agent, shot);
        slowest = Math.max(slowest, performance.now() - begun);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (!right.has(status) || text.includes('"INTERNAL"'))
          wrong.push({ status, text, body: Buffer.from(shot.body).toString("latin1") });
      }
    }),
  );
  agent.destroy();
  const tally = [...statuses].sort(([one], [other]) => one - other).map(([status, times]) => `${status}×${times}`);
  process.stdout.write(
    `${name}: ${count} bodies, seed ${seed}, ${tally.join(" ")}, slowest ${slowest.toFixed(0)} ms\n`,
  );
  expect(wrong.slice(0, 3)).toEqual([]);
  expect(faults.slice(0, 3)).toEqual([]);
  expect(await callTool(server, "agent_register", { name: "Still here", runtime: "custom" })).toMatchObject({
    status: "online",
  });
  expect((await ask(server, "GET", "/api/verify")).json()["result"]).toMatchObject({ isIntact: true });
});
