import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { homeAt, readServerInfo } from "../../src/adapters/home.ts";
import { catalog } from "../../src/tools/catalog.ts";
import { isAnybodys, prepareExamples } from "../contract/examples.ts";
import { createHome, crewdeck, ensureBuilt, type TestHome, tokenOf } from "./program.ts";

const { home, close } = createHome();

beforeAll(async () => {
  await ensureBuilt();
  mkdirSync(home.dir, { mode: 0o700 });
  const downloads = { allow: true, hosts: ["127.0.0.1"] };
  writeFileSync(join(home.dir, "config.json"), JSON.stringify({ downloads }));
  await crewdeck(home, ["call", "agent_list"]);
  return close;
});

/** Records are prepared over HTTP, which is faster than a process for each. */
function callOver({ dir }: TestHome) {
  return async (tool: string, args: Record<string, unknown>): Promise<Record<string, unknown>> => {
    const { url } = readServerInfo(homeAt(dir)) ?? { url: "" };
    const response = await fetch(`${url}/api/tools/${tool}`, {
      method: "POST",
      headers: { authorization: `Bearer ${tokenOf(home)}`, "content-type": "application/json" },
      body: JSON.stringify(args),
    });
    return ((await response.json()) as { result: Record<string, unknown> }).result;
  };
}

for (const tool of catalog) {
  test(`[CL37] ${tool.name} works from the command line as its examples say`, async () => {
    const fill = prepareExamples(callOver(home));
    for (const example of tool.examples.filter(isAnybodys)) {
      const input = JSON.stringify(await fill(example.input));
      const { code, stdout, stderr } = await crewdeck(home, ["call", tool.name, "--input", input]);
      expect({ title: example.title, code, stderr }).toEqual({ title: example.title, code: 0, stderr: "" });
      expect(tool.output.safeParse(JSON.parse(stdout)).error).toBeUndefined();
    }
  });
}
