import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { clientNames, runtimes } from "../../src/contract/words.ts";
import { runtimeOf } from "../../src/domain/agent/session-rules.ts";

const clientsPage = readFileSync(new URL("../../docs/clients.md", import.meta.url), "utf8");

test("[AG26] every client that we name is a runtime of its own, by whichever of its names a session says it", () => {
  const named = Object.fromEntries(clientNames.map((name) => [name, runtimeOf(name)]));
  expect(named).toEqual({
    "claude-code": "claude_code",
    codex: "codex",
    cursor: "cursor",
    gemini: "gemini_cli",
    opencode: "opencode",
    copilot: "copilot_cli",
    vscode: "vscode",
  });
  for (const runtime of runtimes) expect(runtimeOf(runtime.replaceAll("_", "-"))).toBe(runtime);
  expect(runtimeOf(" Gemini CLI ")).toBe("gemini_cli");
  expect(runtimeOf("claude")).toBe("claude_code");
  expect(["somebody else's", "", null].map(runtimeOf)).toEqual(["custom", "custom", "custom"]);
});

test("[AG26] every client whose patience docs/clients.md tells is one, too", () => {
  const rows = [...clientsPage.matchAll(/^\| ([^|,]+?)(?:, \w+)? \|[^|]*\d+ (?:seconds|minutes)/gm)];
  const named = rows.map(([, name = ""]) => name);
  expect(named).toContain("jcode");
  expect(named.filter((name) => runtimeOf(name) === "custom")).toEqual([]);
});
