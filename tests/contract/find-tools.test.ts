import { expect, test } from "vitest";
import { briefSchema } from "../../src/contract/brief-entry.ts";
import { isExcluded, parseSelection } from "../../src/contract/listing.ts";
import { inputSchemaOf } from "../../src/contract/projections/schema.ts";
import { dispatch } from "../../src/engine/dispatch.ts";
import { openTestHouse } from "../../src/testing/house.ts";
import { rankTools } from "../../src/tools/meta/rank-tools.ts";
import { catalogue, everyTool, parts, toolNamed } from "./parts.ts";

interface Found {
  tools: { name: string; summary: string; input_schema: unknown }[];
}

const openWithMeta = () => openTestHouse("sqlite", { tools: everyTool });
const rank = (query: string): string[] => rankTools(parts.tools, query).map(({ tool }) => tool.name);

test.each([
  { query: "archive a message", best: "message_archive" },
  { query: "ARCHIVE messages", best: "message_archive" },
  { query: "broadcast", best: "message_broadcast" },
  { query: "write to everyone who is live", best: "message_broadcast" },
  { query: "message_count_unread", best: "message_count_unread" },
  { query: "register the repository", best: "repository_register" },
  { query: "heartbeat", best: "agent_heartbeat" },
])("[LS20] the best match for: $query", ({ query, best }) => {
  expect(rank(query)[0]).toBe(best);
});

test("[LS20] what is called by the word comes first, and what does not fit is left out", () => {
  const agents = parts.tools.filter((tool) => tool.name.startsWith("agent_")).map((tool) => tool.name);
  expect(rank("agent").slice(0, agents.length).sort()).toEqual(agents.sort());
  expect(rank("quantum")).toEqual([]);
  expect(rank("the of a")).toEqual([]);
  expect(rank("$^.*[(")).toEqual([]);
});

test("[LS20] an answer has what is needed to call the tool", async () => {
  const house = await openWithMeta();
  const { tools } = await house.call<Found>("find_tools", { query: "archive", limit: 1 });
  const { name, summary, input } = toolNamed("message_archive");
  expect(tools).toEqual([{ name, summary, input_schema: briefSchema(inputSchemaOf(input)) }]);
});

test("[LS20] five are answered unless more are wanted", async () => {
  const house = await openWithMeta();
  expect((await house.call<Found>("find_tools", { query: "agent message" })).tools).toHaveLength(5);
  expect((await house.call<Found>("find_tools", { query: "agent message", limit: 12 })).tools).toHaveLength(12);
});

test("[LS20] what administers Crewdeck is never found", async () => {
  const house = await openWithMeta();
  const { tools } = await house.call<Found>("find_tools", {
    query: "token developer create revoke find call",
    limit: 20,
  });
  const hidden = [...parts.person.map((tool) => tool.name), "find_tools", "call_tool"];
  expect(tools.filter((tool) => hidden.includes(tool.name))).toEqual([]);
});

test("[LS21] what is excluded is not found", async () => {
  const house = await openWithMeta();
  const selection = parseSelection("core,-message_list", { readOnly: true }, catalogue);
  const reply = await dispatch(house.house, {
    tool: "find_tools",
    args: { query: "message", limit: 20 },
    caller: house.owner,
    transport: "mcp",
    isExcluded: (tool) => isExcluded(catalogue, selection, tool),
  });
  const found = reply.ok ? (reply.value as Found).tools.map((tool) => tool.name) : [];
  expect(found).toContain("message_count_unread");
  expect(found).not.toContain("message_list");
  expect(found).not.toContain("message_send");
});

test("[LS22] call_tool that was not unwrapped is refused with NOT_FOUND and does nothing", async () => {
  const house = await openWithMeta();
  const call = () =>
    house.refusal("call_tool", { name: "agent_register", arguments: { name: "Ada", runtime: "codex" } });
  expect(await house.eventsOf(async () => expect(await call()).toBe("NOT_FOUND"))).toEqual([]);
  expect(await house.refusal("call_tool", { arguments: {} })).toBe("INVALID_REQUEST");
});
