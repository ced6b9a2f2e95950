import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LineReader } from "../../src/transports/mcp/line-reader.ts";

/** What a reader that keeps next to nothing says of a line that comes in pieces. */
function refusedId(line: string, piece = 7): unknown {
  const ids: unknown[] = [];
  const reader = new LineReader(4, { line: (text) => ids.push({ text }), tooLong: (id) => ids.push(id) });
  const bytes = Buffer.from(`${line}\n`);
  for (let at = 0; at < bytes.length; at += piece) reader.push(bytes.subarray(at, at + piece));
  expect(ids).toHaveLength(1);
  return ids[0];
}

const filler = "x".repeat(100_000);

describe("the id of a frame that is too large", () => {
  test.each([
    ["before params", `{"jsonrpc":"2.0","id":7,"method":"m","params":{"a":"${filler}"}}`, 7],
    ["after params", `{"method":"m","params":{"a":"${filler}"},"jsonrpc":"2.0","id":"r-1"}\r`, "r-1"],
    ["an escaped key", `{"method":"m","params":["${filler}"],"\\u0069d":"\\u00e9"}`, "é"],
    ["only within params", `{"method":"m","params":{"id":3,"a":"${filler}"}}`, null],
    [
      "within text that looks like an end",
      `{"method":"m","params":{"a":"\\"},\\"id\\":3,\\"b\\":\\"${filler}"}}`,
      null,
    ],
    ["below and above", `{"method":"m","params":{"id":3,"b":[{"id":4}]},"id":5}`, 5],
    ["twice", `{"method":"m","id":3,"params":{"a":"${filler}"},"id":4}`, null],
    ["of an answer", `{"jsonrpc":"2.0","id":3,"result":{"a":"${filler}"}}`, null],
    ["of a batch", `[{"id":3,"method":"m","params":{"a":"${filler}"}}]`, null],
    ["a fraction", `{"id":1.5,"method":"m","params":{"a":"${filler}"}}`, null],
    ["an object", `{"id":{"id":1},"method":"m","params":{"a":"${filler}"}}`, null],
    ["longer than may be kept", `{"id":"${filler}","method":"m"}`, null],
    ["after a bracket that fits none", `{"method":"m","params":[},"id":3,"a":"${filler}"}`, null],
    ["of a frame that is cut off", `{"method":"m","id":3,"params":{"a":"${filler}`, null],
    ["beside endless nesting", `{"method":"m","id":3,"params":${"[".repeat(9_999)}${"]".repeat(9_999)}}`, null],
  ])("[MC36] %s", (_where, line, id) => {
    expect(refusedId(line)).toBe(id);
  });

  const key = fc.constantFrom("id", "method", "params", "jsonrpc", 'i"d', "i\\d", "{", "é");
  const leaf = fc.oneof(fc.integer(), fc.string(), fc.constantFrom('"', "\\", '\\"id":1', "}", "]", "é😀", null, 1.5));
  const { value: anything } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof({ maxDepth: 4 }, leaf, fc.array(tie("value")), fc.dictionary(key, tie("value"))),
  }));
  const message = fc.record(
    { params: anything, id: fc.oneof(fc.integer(), fc.string(), anything), method: fc.string(), extra: anything },
    { requiredKeys: [] },
  );

  test("[MC36] it is what a reader of the whole frame finds, in whatever order and however it is cut", () => {
    fc.assert(
      fc.property(message, fc.nat(), fc.integer({ min: 1, max: 50 }), fc.boolean(), (made, turn, piece, isWide) => {
        const members = Object.entries(made);
        const at = turn % (members.length + 1);
        const turned = Object.fromEntries([...members.slice(at), ...members.slice(0, at)]);
        const line = JSON.stringify(turned, null, isWide ? 1 : 0).replaceAll("\n", "\t");
        fc.pre(line.length > 4);
        expect(refusedId(line, piece)).toBe(idOf(line));
      }),
      { numRuns: 2_000 },
    );
  });

  test("[MC36] damage leaves the right id or none", () => {
    fc.assert(
      fc.property(
        message,
        fc.nat(),
        fc.constantFrom('"', "\\", "{", "}", "[", "]", ",", ":", ""),
        (made, where, byte) => {
          const whole = JSON.stringify(made);
          const at = where % whole.length;
          // What travels is bytes: half a character arrives as the sign for one that could not be read.
          const line = Buffer.from(`${whole.slice(0, at)}${byte}${whole.slice(at + 1)}`).toString();
          fc.pre(line.length > 4);
          const id = refusedId(line);
          if (isJson(line)) expect([null, idOf(line)]).toContain(id);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

function idOf(line: string): unknown {
  const { id, method } = JSON.parse(line);
  return (typeof id === "string" || Number.isSafeInteger(id)) && typeof method === "string" ? id : null;
}
