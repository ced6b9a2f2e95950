import assert from "node:assert/strict";
import { published } from "./place.mjs";

/** The agent that a client registered through a real call: it is in the store, and the call left its usage event. */
export async function expectRegistered(place, { name, runtime }) {
  const { agents } = await place.read("/api/agents");
  const found = agents.find((agent) => agent.name === name);
  assert.ok(found, `no agent called ${name} in the store`);
  assert.equal(found.runtime, runtime);
  const { events } = await place.read("/api/usage?kind=agent_register");
  assert.deepEqual(
    events.map(({ data }) => data.outcome),
    ["ok"],
    "one call leaves one usage event",
  );
  return found;
}

/** Fails unless these are the names of every published tool. */
export function expectEveryTool(names) {
  const wanted = published.tools.map(({ name }) => name);
  assert.deepEqual([...names].sort(), wanted.sort());
}

/** What the model must be told after `agent_register`: exactly the structured content. */
export const registration = ({ id, name }) => ({ id, name, status: "online" });

/** Fails unless both servers of the configuration, `crewdeck` over stdio and `deck` over HTTP, are said to be connected. */
export function expectConnected(output, pattern) {
  const names = output.split("\n").flatMap((line) => pattern.exec(line)?.[1] ?? []);
  assert.deepEqual(names, ["crewdeck", "deck"], output);
}
