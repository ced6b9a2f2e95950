import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseJson } from "../../src/transports/json-guard.ts";
import { ask, callTool } from "../http/raw.ts";
import { openServer } from "../http/routes.ts";
import { RawPipe } from "../mcp/pipe.ts";
import { postMcp } from "../mcp/post.ts";
import { expectNoTrace } from "./canary.ts";

const size = 7 * 1024 * 1024;
const repeat = (part: string) => part.repeat(Math.floor(size / part.length));

/** JSON inside of an argument, each of which is refused. */
const bombs: [string, string][] = [
  ["200,000 lists in each other", `${"[".repeat(200_000)}${"]".repeat(200_000)}`],
  ["200,000 objects in each other", `${'{"a":'.repeat(200_000)}1${"}".repeat(200_000)}`],
  ["101 levels", `${"[".repeat(101)}${"]".repeat(101)}`],
  ["millions of numbers", `[${repeat("1,")}1]`],
  ["millions of empty objects", `[${repeat("{},")}{}]`],
  ["millions of empty lists", `[${repeat("[],")}[]]`],
  ["hundreds of thousands of keys", `{${Array.from({ length: 300_000 }, (_, key) => `"${key}":0`).join(",")}}`],
  ["brackets without end", repeat("[")],
  ["a key given twice", '{"a":1,"a":2}'],
  ["a key given twice in two spellings", '{"a":1,"\\u0061":2}'],
  ["a key given twice deep down", '[{"b":{"c":[{"a":1,"a":1}]}}]'],
  ["a number without end", "1e999"],
  ["a number without end below zero", "[-1e999]"],
  ["__proto__", '{"__proto__":{"polluted":1}}'],
  ["__proto__ in another spelling", '{"\\u005f_proto__":{"polluted":1}}'],
  [
    "__proto__ in every letter's other spelling",
    `{"${[..."__proto__"].map((letter) => `\\u00${letter.charCodeAt(0).toString(16)}`).join("")}":1}`,
  ],
  ["__proto__ deep down", '{"a":[{"b":{"__proto__":null}}]}'],
  ["a constructor's prototype", '{"constructor":{"prototype":{"polluted":1}}}'],
  ["a constructor's prototype deep down", '[[{"constructor":{"prototype":1}}]]'],
];

const collectGarbage = (): void => {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
};

const kept = (): number => {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

describe("dangerous JSON", () => {
  test.each(bombs)("[SE33, SE34] %s is refused on every way in and leaves nothing", async (_what, json) => {
    const server = await openServer();
    const args = `{"name":"Bomb","runtime":"custom","metadata":${json}}`;
    await expectNoTrace(server, async () => {
      const direct = await ask(server, "POST", "/api/tools/agent_register", { body: args });
      const plain = await ask(server, "POST", "/api/mcp", { body: `{"tool":"agent_register","arguments":${args}}` });
      const frame = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"agent_register","arguments":${args}}}`;
      const mcp = await postMcp(server, frame);
      const pipe = await RawPipe.open(server);
      await pipe.handshake();
      pipe.send(frame);
      const { error } = await pipe.until((message) => message.error !== undefined);
      pipe.close();
      expect([direct.status, plain.status, mcp.status]).toEqual([400, 400, 400]);
      expect(mcp.message.error?.code).toBe(error?.code);
      expect(error).toMatchObject({ code: expect.toBeOneOf([-32600, -32700]), data: { code: "INVALID_REQUEST" } });
    });
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  test("[SE33] the memory that such bodies take is given back", async () => {
    const server = await openServer();
    await callTool(server, "agent_list");
    const before = kept();
    for (let round = 0; round < 10; round += 1) {
      for (const [, json] of bombs)
        await ask(server, "POST", "/api/tools/agent_register", { body: `{"metadata":${json}}` });
    }
    const grown = (kept() - before) / 1024 / 1024;
    process.stdout.write(`${10 * bombs.length} dangerous bodies left ${grown.toFixed(1)} MiB behind\n`);
    expect(grown).toBeLessThan(64);
  });

  test("[SE33] texts that no database gives back are refused, never a fault", async () => {
    for (const store of ["sqlite", "postgres"] as const) {
      const server = await openServer({ store });
      for (const text of ["\\ud800", "a\\udfffb", "a\\u0000b"]) {
        const body = `{"name":"${text}","runtime":"custom"}`;
        expect((await ask(server, "POST", "/api/tools/agent_register", { body })).status).toBe(400);
        const path = `/api/agents?runtime=${encodeURIComponent(JSON.parse(`"${text.replace(/\\ud...|\\udfff/, "x")}"`) as string)}`;
        expect((await ask(server, "GET", path)).status).toBeLessThan(500);
      }
      const odd = `{"name":"Odd","runtime":"custom","metadata":{"text":"\\ud800 \\u0000"}}`;
      expect((await ask(server, "POST", "/api/tools/agent_register", { body: odd })).status).toBeLessThan(500);
    }
  });
});

describe("the reader of JSON", () => {
  test("[SE33] reads whatever is harmless exactly as JSON.parse does", () => {
    const harmless = fc.jsonValue({ maxDepth: 20 }).filter((value) => !JSON.stringify(value).includes("__proto__"));
    fc.assert(
      fc.property(harmless, fc.boolean(), (value, isSpread) => {
        const text = JSON.stringify(value, null, isSpread ? 2 : 0);
        expect(parseJson(text)).toEqual(JSON.parse(text));
      }),
      { numRuns: 500 },
    );
  });

  test("[SE33] fails on whatever text JSON.parse fails on, and on nothing without a reason", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json().map((text) => text.slice(1)),
          fc.json().map((text) => `${text},`),
        ),
        (text) => {
          const outcome = (read: (text: string) => unknown): string => {
            try {
              return JSON.stringify(read(text)) ?? "undefined";
            } catch {
              return "refused";
            }
          };
          const plain = outcome(JSON.parse);
          const ours = outcome(parseJson);
          if (plain === "refused") expect(ours).toBe("refused");
          else if (!/__proto__|constructor|"/.test(text)) expect(ours).toBe(plain);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test("[SE33] brackets, colons and commas within texts count for nothing", () => {
    const text = JSON.stringify({ a: '[[["{:,}', 'b"\\': '\\\\"::[', c: "[".repeat(500) });
    expect(parseJson(text)).toEqual(JSON.parse(text));
  });

  test("[SE34] a key called constructor or prototype is fine by itself", () => {
    expect(parseJson('{"constructor":"Acme","prototype":1}')).toEqual({ constructor: "Acme", prototype: 1 });
  });
});
