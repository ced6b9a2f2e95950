interface MalformedLine {
  readonly what: string;
  readonly line: string;
  readonly code: number;
  /** Whom the refusal is for, where that can be told. */
  readonly id?: number;
}

/** What comes on a line and is no message. */
export const malformedLines: readonly MalformedLine[] = [
  { what: "no JSON", line: "{nonsense", code: -32700 },
  { what: "a truncated message", line: '{"jsonrpc":"2.0","id":1', code: -32700 },
  { what: "a batch", line: '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', code: -32600 },
  { what: "an empty batch", line: "[]", code: -32600 },
  { what: "a bare text", line: '"ping"', code: -32600 },
  { what: "a bare null", line: "null", code: -32600 },
  { what: "another version of JSON-RPC", line: '{"jsonrpc":"1.0","id":4,"method":"ping"}', code: -32600, id: 4 },
  { what: "a fraction as id", line: '{"jsonrpc":"2.0","id":1.5,"method":"ping"}', code: -32600 },
  { what: "null as id", line: '{"jsonrpc":"2.0","id":null,"method":"ping"}', code: -32600 },
  { what: "a number as method", line: '{"jsonrpc":"2.0","id":5,"method":7}', code: -32600, id: 5 },
  { what: "a list as params", line: '{"jsonrpc":"2.0","id":6,"method":"ping","params":[]}', code: -32602, id: 6 },
  { what: "neither method nor answer", line: '{"jsonrpc":"2.0","id":7}', code: -32600, id: 7 },
  {
    what: "a number as _meta",
    line: '{"jsonrpc":"2.0","id":8,"method":"ping","params":{"_meta":1}}',
    code: -32602,
    id: 8,
  },
  {
    what: "a key that reaches a prototype",
    line: '{"jsonrpc":"2.0","id":9,"method":"ping","params":{"__proto__":{}}}',
    code: -32600,
    id: 9,
  },
  { what: "endless nesting", line: `{"a":${"[".repeat(5_000)}${"]".repeat(5_000)}}`, code: -32600 },
];
