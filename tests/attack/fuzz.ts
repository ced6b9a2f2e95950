import fc from "fast-check";
import { errors } from "../../src/contract/errors.ts";
import type { Log } from "../../src/engine/log.ts";
import { everyTool } from "../contract/parts.ts";
import { type Message, modernMeta } from "../mcp/pipe.ts";
import { seed } from "../seed.ts";
import { listTargets } from "./id-makers.ts";
import { fillBlindly } from "./records.ts";

/** What fuzzing throws, and what it accepts as an answer. */

export { seed };

/** `count` values of an arbitrary, the same for the same seed. */
export const sample = <T>(arbitrary: fc.Arbitrary<T>, count: number, salt: number): T[] =>
  fc.sample(arbitrary, { numRuns: count, seed: seed + salt });

const methods = [
  ...["initialize", "ping", "tools/list", "tools/call", "server/discover", "resources/list", "prompts/get"],
  ...[
    "completion/complete",
    "logging/setLevel",
    "notifications/initialized",
    "notifications/progress",
    "$/cancelRequest",
  ],
  ...["subscriptions/unlisten", "rpc.discover", "", "__proto__", "constructor", "toString"],
];

const toolName = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...everyTool.map(({ name }) => name)) },
  fc.string(),
  fc.constantFrom("__proto__", "constructor", "call_tool", "find_tools"),
);

const keys = [...new Set(everyTool.flatMap(({ input }) => Object.keys(input.shape as object)))];

/** Arguments that look like arguments: known keys, values of any kind. */
export const toolArguments = fc.oneof(
  fc.dictionary(fc.constantFrom(...keys), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 6 }),
  fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 4 }),
  fc.jsonValue(),
);

const operations = listTargets(everyTool).filter(({ operation }) => Object.keys(operation).length > 0);
const anyValue = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.string({ unit: "binary" }));

/** Calls of a door that name one of its operations, and are right or wrong only behind it. */
export const operationCall = fc.constantFrom(...operations).chain(({ tool, definition, operation }) => {
  const example = fillBlindly(definition.examples[0]?.input ?? {});
  const own = Object.keys(definition.input.shape as object);
  return fc
    .dictionary(fc.constantFrom(...own), anyValue, { maxKeys: 3 })
    .map((changes) => ({ name: tool.name, arguments: { ...example, ...changes, ...operation } as unknown }));
});

const meta = fc.oneof(
  fc.constant(undefined),
  fc.constant(modernMeta),
  fc.jsonValue({ maxDepth: 2 }),
  fc.record({ progressToken: fc.jsonValue({ maxDepth: 1 }) }),
);

const callParams = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      name: fc.oneof(toolName, fc.jsonValue({ maxDepth: 1 })),
      arguments: toolArguments,
      _meta: meta,
    }),
  },
  fc.tuple(operationCall, meta).map(([params, _meta]) => ({ ...params, _meta })),
);

/** Messages that are nearly right. The id, where it is one of ours, is unique: its answer must come. */
export const message = fc
  .record({
    jsonrpc: fc.oneof({ weight: 9, arbitrary: fc.constant("2.0") }, fc.jsonValue({ maxDepth: 1 })),
    id: fc.oneof(
      { weight: 6, arbitrary: fc.constant("unique") },
      fc.constant(undefined),
      fc.jsonValue({ maxDepth: 1 }),
    ),
    method: fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...methods) }, fc.jsonValue({ maxDepth: 1 })),
    params: fc.oneof(
      { weight: 3, arbitrary: callParams },
      fc.jsonValue(),
      fc.constant(undefined),
      fc.record({ _meta: meta }),
    ),
    extra: fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, fc.jsonValue({ maxDepth: 1 })),
  })
  .map((value) => ({ ...value }) as Record<string, unknown>);

export const call = fc.oneof(
  fc.record({ tool: toolName, arguments: toolArguments }),
  operationCall.map(({ name, arguments: args }) => ({ tool: name, arguments: args })),
);

/** Messages and calls as they should be: what is mutated should come close. */
export const validMessage = fc.oneof(
  fc
    .oneof(
      fc.constantFrom(
        ...everyTool.flatMap(({ name, examples }) =>
          examples.map(({ input }) => ({ name, arguments: input as unknown })),
        ),
      ),
      operationCall,
    )
    .map((params) => ({ jsonrpc: "2.0", id: "unique", method: "tools/call", params }) as Record<string, unknown>),
  fc
    .constantFrom("ping", "tools/list")
    .map((method) => ({ jsonrpc: "2.0", id: "unique", method }) as Record<string, unknown>),
);

export const validCall = fc.constantFrom(
  ...everyTool.flatMap(({ name, examples }) =>
    examples.map(({ input }) => ({ tool: name, arguments: input as unknown })),
  ),
);

const change = fc.tuple(fc.nat(4), fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(255));

/** Bytes of a text with some of them changed, left out, doubled, cut off or put in. */
export const mutated = (text: fc.Arbitrary<string>): fc.Arbitrary<Buffer> =>
  fc.tuple(text, fc.array(change, { minLength: 1, maxLength: 6 })).map(([base, changes]) => {
    let bytes: Buffer = Buffer.from(base);
    for (const [kind, place, byte] of changes) bytes = mutate(bytes, kind, Math.floor(place * bytes.length), byte);
    return bytes;
  });

function mutate(bytes: Buffer, kind: number, at: number, byte: number): Buffer {
  const one = Buffer.of(byte);
  switch (kind) {
    case 0:
      return Buffer.concat([bytes.subarray(0, at), one, bytes.subarray(at + 1)]);
    case 1:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + (byte % 8))]);
    case 2:
      return Buffer.concat([bytes.subarray(0, at), one, bytes.subarray(at)]);
    case 3:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(Math.max(0, at - 16), at), bytes.subarray(at)]);
    default:
      return bytes.subarray(0, at);
  }
}

/** What is wrong with an answer, if anything: a fault of ours, or a code that is none. */
export function wrongWith({ error, result }: Message): string | undefined {
  const codes = [-32700, -32600, -32601, -32602, -32001, -32020, -32021, -32022];
  const code = (error?.data?.["code"] ??
    (result?.["isError"] ? (result["structuredContent"] as { code?: unknown }).code : "OK")) as string;
  if (error && !codes.includes(error.code)) return `code ${error.code}`;
  if (code === "INTERNAL" || code === "INTERNAL_ERROR") return "a fault";
  return code === "OK" || Object.hasOwn(errors, code) ? undefined : `unknown code ${code}`;
}

/** A log that keeps what should not have happened. */
export function watchfulLog(): { log: Log; faults: unknown[] } {
  const faults: unknown[] = [];
  const ignore = () => undefined;
  return {
    faults,
    log: { debug: ignore, info: ignore, warn: ignore, error: (facts, text) => void faults.push([text, facts]) },
  };
}
