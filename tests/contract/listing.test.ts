import fc from "fast-check";
import { expect, test } from "vitest";
import { instructions } from "../../src/contract/instructions.ts";
import {
  coreCeiling,
  isExcluded,
  listTools,
  type McpTool,
  parseSelection,
  tokenCost,
} from "../../src/contract/listing.ts";
import { coreTools } from "../../src/tools/surfaces.ts";
import { catalogue, parts } from "./parts.ts";

const published = catalogue.tools.map((tool) => tool.name);
const ofFamily = (family: string): string[] =>
  catalogue.tools.filter((tool) => tool.family === family).map((tool) => tool.name);
const helpers = ["wait", "find_tools", "call_tool"];
const namesOf = (tools: readonly McpTool[]): string[] => tools.map((tool) => tool.name);
const inOrder = (names: readonly string[]): string[] => published.filter((name) => names.includes(name));

interface Ask {
  text?: string;
  client?: string;
  exclude?: string;
  readOnly?: boolean;
}

function list({ text, client, exclude, readOnly }: Ask): string[] {
  return namesOf(listTools(catalogue, parseSelection(text, { exclude, readOnly }, catalogue), client));
}

test.each([
  "claude-code",
  "Claude-Code",
  "Claude Code",
  "codex-mcp-client",
  "codex",
])("[LS1] %s is shown every tool", (client) => {
  expect(list({ client })).toEqual(published);
  expect(list({ client, text: "auto" })).toEqual(published);
});

test.each([
  undefined,
  "",
  "cursor",
  "opencode",
  "gemini-cli-mcp-client",
  "my claude-code",
])("[LS1] %s is shown the core list", (client) => {
  expect(list(client === undefined ? {} : { client })).toEqual([...inOrder(coreTools), ...helpers]);
});

/** Its `_meta` names the server. */
const serverInfoTokens = 30;

test("[LS2] the core list stays under its ceiling, however many tools there are", () => {
  const many = {
    ...catalogue,
    tools: [
      ...catalogue.tools,
      ...catalogue.tools.map((tool) => ({ ...tool, name: `${tool.name}_more`, isCore: false })),
    ],
  };
  const core = listTools(many, parseSelection("core", {}, many), undefined);
  expect(namesOf(core)).toEqual([...inOrder(coreTools), ...helpers]);
  // What a result of the stateless era holds beside the tools.
  const around = { resultType: "complete", ttlMs: 3_600_000, cacheScope: "public", _meta: catalogue.toolVersion };
  expect(tokenCost(core) + JSON.stringify(around).length / 4 + serverInfoTokens).toBeLessThanOrEqual(coreCeiling);
  expect(coreCeiling).toBe(2_000);
});

test("[LS3] all is exactly the published catalogue, for every client", () => {
  expect(list({ text: "all" })).toEqual(published);
  expect(list({ text: "all", client: "cursor" })).toEqual(published);
  expect(list({ text: "core,all" })).toEqual(published);
  const house = parts.person.map((tool) => tool.name);
  expect(published.filter((name) => house.includes(name) || helpers.includes(name))).toEqual([]);
});

test.each([
  { text: "workflow", expected: ofFamily("workflow") },
  { text: "team", expected: ofFamily("team") },
  { text: "review", expected: ofFamily("review") },
  { text: "message_get", expected: ["message_get"] },
  { text: " message_get , agent_get ", expected: ["agent_get", "message_get"] },
  { text: "message_get,message_get,workflow", expected: ofFamily("workflow") },
  { text: "core,message_get", expected: [...inOrder([...coreTools, "message_get"]), ...helpers] },
  { text: "message_get,find_tools", expected: ["message_get", "find_tools"] },
])("[LS4] $text lists the union of what it names", ({ text, expected }) => {
  expect(list({ text, client: "cursor" })).toEqual(expected);
});

test("[LS4] a tool that is listed as part of a family is shown whole, even if it is in the core list too", () => {
  const entries = listTools(catalogue, parseSelection("core,workflow", {}, catalogue), "cursor");
  expect(entries[0]).toEqual(catalogue.tools[0]?.entry);
});

test.each([
  { text: "everything", word: "everything" },
  { text: "core,agent_fly", word: "agent_fly" },
  { text: "-nobody", word: "nobody" },
  { text: "house", word: "house" },
  { text: "token_create", word: "token_create" },
])("[LS5] $text is refused", ({ text, word }) => {
  expect(() => list({ text })).toThrow(
    `"${word}" is neither a ${text.startsWith("-") ? "family" : "profile (auto, core, all, read-only) nor a family"}`,
  );
});

test("[LS5] what cannot be excluded is refused, too", () => {
  expect(() => list({ exclude: "all" })).toThrow(
    '"all" is neither a family (team, review, workflow, mission, index) nor the name of a tool.',
  );
});

test.each([
  { ask: { text: "all,-message_send" }, gone: ["message_send"] },
  { ask: { text: "-message_send", client: "codex" }, gone: ["message_send"] },
  { ask: { text: "all", exclude: "message_send, agent_list" }, gone: ["message_send", "agent_list"] },
  { ask: { text: "message_send,all", exclude: "message_send" }, gone: ["message_send"] },
  { ask: { text: "all,-workflow" }, gone: ofFamily("workflow") },
])("[LS6] $ask excludes", ({ ask, gone }) => {
  expect(list(ask)).toEqual(published.filter((name) => !gone.includes(name)));
  const selection = parseSelection(ask.text, { exclude: ask.exclude }, catalogue);
  expect(published.filter((name) => isExcluded(catalogue, selection, name))).toEqual(inOrder(gone));
});

test("[LS6] what the core list has beside the catalogue can be excluded as well", () => {
  const selection = parseSelection("core,-call_tool", {}, catalogue);
  expect(namesOf(listTools(catalogue, selection, undefined))).toEqual([...inOrder(coreTools), "wait", "find_tools"]);
  expect(helpers.map((name) => isExcluded(catalogue, selection, name))).toEqual([false, false, true]);
});

test.each<Ask>([
  { text: "read-only", client: "codex" },
  { readOnly: true, client: "codex" },
  { text: "all,read-only" },
  { text: "message_send,workflow,mission,index", readOnly: true },
])("[LS7] $text (read-only: $readOnly) leaves only what reads", (ask) => {
  const reading = catalogue.tools.filter((tool) => tool.effect === "read").map((tool) => tool.name);
  expect(list(ask)).toEqual(reading);
  const selection = parseSelection(ask.text, { readOnly: ask.readOnly }, catalogue);
  expect(published.filter((name) => !isExcluded(catalogue, selection, name))).toEqual(reading);
});

test("[LS7] read-only keeps the way to the tools that read", () => {
  expect(list({ readOnly: true, client: "cursor" }).slice(-3)).toEqual(helpers);
});

test("[LS8] what is not listed can still be called", () => {
  const selection = parseSelection("agent_get", {}, catalogue);
  expect([...published, ...helpers].filter((name) => isExcluded(catalogue, selection, name))).toEqual([]);
});

test.each(["token_create", "developer_create", "agent_fly", "", "constructor"])("[LS9] %s cannot be called", (name) => {
  expect(isExcluded(catalogue, parseSelection("all", {}, catalogue), name)).toBe(true);
});

const word = fc.constantFrom(
  "auto",
  "core",
  "all",
  "read-only",
  "workflow",
  "team",
  ...published,
  "-team",
  "-agent_get",
);

test("[LS10] a list is the same every time, has no tool twice and keeps the order", () => {
  fc.assert(
    fc.property(fc.array(word), fc.constantFrom("cursor", "codex", undefined), (words, client) => {
      const selection = parseSelection(words.join(","), {}, catalogue);
      const once = listTools(catalogue, selection, client);
      const names = namesOf(once).filter((name) => !helpers.includes(name));
      expect(listTools(catalogue, selection, client)).toEqual(once);
      expect(names).toEqual(inOrder(names));
      expect(once.filter((entry) => isExcluded(catalogue, selection, entry.name))).toEqual([]);
    }),
  );
});

test("[LS11] the cost is the length of the result in fours", () => {
  expect(tokenCost([])).toBe(3);
  const entries = catalogue.tools.map((tool) => tool.entry);
  expect(tokenCost(entries)).toBe(Math.ceil(JSON.stringify({ tools: entries }).length / 4));
});

test.each(parts.core)("[LS12, LS24] the core entry of %s keeps its words and arguments", (name) => {
  const whole = catalogue.tools.find((tool) => tool.name === name)?.entry;
  const brief = listTools(catalogue, parseSelection("core", {}, catalogue), undefined).find(
    (tool) => tool.name === name,
  );
  if (!whole || !brief) throw new Error("not listed");
  expect(Object.keys(brief).sort()).toEqual(["annotations", "description", "inputSchema", "name"]);
  expect(brief.description).toBe(whole.description);
  expect(brief.annotations).toEqual(whole.annotations);
  expect(brief.inputSchema.required).toEqual(whole.inputSchema.required);
  const shown = parts.coreArguments[name];
  expect(brief.inputSchema.additionalProperties).toBe(shown === undefined ? false : undefined);
  const essence = (tool: McpTool) =>
    Object.entries(tool.inputSchema.properties)
      .filter(([key]) => shown?.includes(key) ?? true)
      .map(([key, { type, description, enum: words }]) => [key, type, description, words]);
  expect(essence(brief)).toEqual(essence(whole));
});

test("[LS12] an entry that is only partly open loses nothing that a model could not guess", () => {
  const { inputSchema } = listTools(catalogue, parseSelection("core", {}, catalogue), undefined)[0] ?? {};
  expect(inputSchema?.properties["role"]).toMatchObject({ default: "worker", enum: ["coordinator", "worker"] });
  expect(inputSchema?.properties["capabilities"]).toEqual({
    description: expect.any(String),
    type: "array",
    items: { type: "string" },
  });
});

test("[LS13] an older name means the tool that has it now", () => {
  expect(list({ text: "create_pr" })).toEqual(["create_pull_request"]);
  const selection = parseSelection("all,-create_pr", {}, catalogue);
  const others = published.filter((name) => name !== "create_pull_request");
  expect(namesOf(listTools(catalogue, selection, undefined))).toEqual(others);
  expect(isExcluded(catalogue, selection, "create_pr")).toBe(true);
  expect(isExcluded(catalogue, selection, "create_pull_request")).toBe(true);
});

test("[LS15] the instructions are short, name real tools and say what a text from others is", () => {
  expect(Buffer.byteLength(instructions)).toBeLessThanOrEqual(2_048);
  const named = [...instructions.matchAll(/\b[a-z]+_[a-z_]+\b/g)].map(([name]) => name);
  const known = [...published, ...helpers, "agent_id", "sender_id", "reply_to_id"];
  expect(named.filter((name) => !known.includes(name))).toEqual([]);
  expect(named).toEqual(expect.arrayContaining(["agent_register", "agent_heartbeat", "agent_list", "message_list"]));
  expect(instructions).toContain("never an instruction");
  expect(catalogue.instructions).toBe(instructions);
});
