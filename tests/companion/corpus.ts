/** Configurations as people have them: every shape under every way of writing it. */

const settings: Readonly<Record<string, unknown>> = {
  empty: {},
  server: { mcpServers: { other: { command: "npx", args: ["-y", "other"], env: { KEY: "$KEY" } } } },
  hooks: {
    hooks: { PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: "./check.sh" }] }] },
    permissions: { allow: ["Read", "Bash(git diff *)"], deny: [] },
  },
  emptyParts: { hooks: {}, mcpServers: {}, mcp: {}, servers: {} },
  emptyLists: { hooks: { PreToolUse: [], SessionStart: [], Stop: [] } },
  unknown: { zebra: 1, $schema: "https://example.test/s.json", a: { b: { c: [1, [2, [3]]] } }, version: 7 },
  strange: { 'quote"d': "a\\b", "": null, ünï: "✓ \u2028", __proto__x: true, nested: [{ hooks: 1 }, "mcpServers"] },
};

const writings: Readonly<Record<string, (value: unknown) => string>> = {
  plain: (value) => `${JSON.stringify(value, null, 2)}\n`,
  tabs: (value) => `${JSON.stringify(value, null, "\t")}\n`,
  wide: (value) => JSON.stringify(value, null, 8),
  dense: (value) => JSON.stringify(value),
  windows: (value) => `${JSON.stringify(value, null, 2).replaceAll("\n", "\r\n")}\r\n`,
  marked: (value) => `\uFEFF${JSON.stringify(value, null, 4)}\n\n\n`,
  noted: (value) =>
    `// at the top\n${JSON.stringify(value, null, 2).replaceAll(/,\n/g, ", // why, and {how}\n")}\n/* "at": the end */\n`,
  loose: (value) => `  ${JSON.stringify(value, null, 3).replaceAll(/([^[{,\s])\n( *)([}\]])/g, "$1,\n$2$3")}\n`,
  airy: (value) => JSON.stringify(value, null, 2).replaceAll("\n", "\n\n").replaceAll(":", " :"),
};

interface Sample {
  readonly name: string;
  readonly text: string;
}

export const goodJson: readonly Sample[] = Object.entries(settings).flatMap(([shape, value]) =>
  Object.entries(writings).map(([way, write]) => ({ name: `${shape}, ${way}`, text: write(value) })),
);

/** A colon inside a string is airy too, and stays valid. */
export const brokenJson: readonly Sample[] = [
  { name: "half an object", text: '{ "hooks": {' },
  { name: "no comma", text: '{ "a": 1 "b": 2 }' },
  { name: "two commas", text: '{ "a": 1,, "b": 2 }' },
  { name: "single quotes", text: "{ 'a': 1 }" },
  { name: "a bare word", text: '{ "a": yes }' },
  { name: "a line break in a string", text: '{ "a": "x\ny" }' },
  { name: "an open comment", text: '{ "a": 1 } /* and' },
  { name: "something after the end", text: '{ "a": 1 } }' },
  { name: "a list", text: "[1, 2]" },
  { name: "a word", text: '"hello"' },
  { name: "a number that is none", text: '{ "a": 01 }' },
  { name: "a merge conflict", text: '<<<<<<< HEAD\n{ "a": 1 }\n=======\n{ "a": 2 }\n>>>>>>> other\n' },
  { name: "the same key twice", text: '{ "mcpServers": {}, "hooks": {}, "mcp": {}, "mcpServers": {}, "hooks": {} }' },
];

export const goodToml: readonly Sample[] = [
  { name: "nothing", text: "" },
  { name: "only a comment", text: "# mine" },
  { name: "keys", text: "model = \"gpt-6\"\napproval_policy = 'never'\n" },
  { name: "no last line break", text: '[projects."/home/a b"]\ntrust_level = "trusted"' },
  { name: "windows", text: 'model = "x"\r\n\r\n[tui]\r\nnotifications = true\r\n' },
  { name: "another server", text: '[mcp_servers.other]\ncommand = "npx"\nargs = ["-y", "other"] # why\n' },
  { name: "long strings", text: "a = \"\"\"\n[mcp_servers.crewdeck]\n\"\"\"\nb = '''\nx = [\n'''\n" },
  { name: "lists over lines", text: "notify = [\n  \"a\", # one\n  'b',\n]\n[[rules]]\nx = 1\n[[rules]]\nx = 2\n" },
  { name: "inline tables", text: 'shell = { inherit = "all", set = { A = "1", "B.C" = "2" } }\n' },
  {
    name: "numbers and times",
    text: "a = -1_000\nb = 3.5e10\nc = 0xff\nd = 1979-05-27T07:32:00Z\ne = inf\nf = 07:32:00\n",
  },
  { name: "dotted keys", text: "tools.web_search = true\n\"odd key\".x.'y' = 1\n" },
  { name: "hook states", text: '[hooks.state."/h/hooks.json:pre_tool_use:0:0"]\ntrusted_hash = "sha256:ab"\n\n\n' },
];

export const brokenToml: readonly Sample[] = [
  { name: "no value", text: "model =\n" },
  { name: "an open string", text: 'model = "x\n' },
  { name: "an open list", text: 'a = ["x",\n' },
  { name: "an open table", text: "[mcp_servers\n" },
  { name: "JSON", text: '{ "a": 1 }\n' },
  { name: "a table twice", text: "[a]\nx = 1\n[a]\ny = 2\n" },
  { name: "two values on a line", text: "a = 1 b = 2\n" },
];
