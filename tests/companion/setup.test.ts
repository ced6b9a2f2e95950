import { chmodSync, lstatSync, renameSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { homeAt, writeCredentials } from "../../src/adapters/home.ts";
import type { ClientName } from "../../src/companion/clients/client.ts";
import { listTomlNames } from "../../src/companion/edit/toml-scan.ts";
import { registerRepo } from "../../src/companion/repos.ts";
import { configuredServerOf, serverOf } from "../../src/companion/repository-server.ts";
import { listSetUp } from "../../src/companion/setup/setup.ts";
import { clientNames } from "../../src/contract/words.ts";
import { brokenJson, brokenToml, goodJson, goodToml } from "./corpus.ts";
import { machineAt, openMachine } from "./scene.ts";

const jsonFiles: readonly (readonly [ClientName, string])[] = [
  ["claude-code", "shop/.mcp.json"],
  ["claude-code", "shop/.claude/settings.json"],
  ["codex", ".codex/hooks.json"],
  ["cursor", "shop/.cursor/mcp.json"],
  ["cursor", "shop/.cursor/hooks.json"],
  ["gemini", "shop/.gemini/settings.json"],
  ["opencode", "shop/opencode.json"],
  ["copilot", ".copilot/mcp-config.json"],
  ["vscode", "shop/.vscode/mcp.json"],
];

/** Each way of writing meets each file in turn. */
const written = goodJson.map((sample, at) => {
  const [client, file] = jsonFiles[(at + Math.floor(at / jsonFiles.length)) % jsonFiles.length] ?? ["codex", ""];
  return { ...sample, client, file };
});

describe("every way of writing a configuration", () => {
  test.each(written)("[SU1, SU2, SU3] $file: $name", ({ text, client, file }) => {
    const machine = openMachine();
    machine.write(file, text);
    const before = machine.list();
    const { steps } = machine.setUp({ names: [client] });
    expect(steps.filter(({ action }) => action === "refused" || action === "kept")).toEqual([]);
    expect(withoutOurLines(machine.read(file), text)).toBe(true);
    expect(machine.plan({ names: [client] }).steps.every(({ action }) => action === "none")).toBe(true);
    machine.remove({ names: [client] });
    expect(machine.list()).toEqual(before);
  });

  test.each(goodToml)("[SU1, SU2, SU3] TOML: $name", ({ text }) => {
    const machine = openMachine();
    machine.write(".codex/config.toml", text);
    const before = machine.list();
    machine.setUp({ baseUrl: "https://deck.example" });
    const after = machine.read(".codex/config.toml");
    expect(after.startsWith(text)).toBe(true);
    expect(listTomlNames(after)).toContainEqual(["mcp_servers", "crewdeck"]);
    expect(machine.plan({ baseUrl: "https://deck.example" }).steps.every(({ action }) => action === "none")).toBe(true);
    machine.remove();
    expect(machine.list()).toEqual(before);
  });

  test.each([
    ...brokenJson.map((sample) => ({ ...sample, file: "shop/.mcp.json" })),
    ...brokenJson.map((sample) => ({ ...sample, file: "shop/.gemini/settings.json" })),
    ...brokenToml.map((sample) => ({ ...sample, file: ".codex/config.toml" })),
    { name: "no text", file: "shop/.mcp.json", text: Buffer.from([0x7b, 0xff, 0x7d]) },
  ])("[SU4] $file with $name is refused and untouched", ({ file, text }) => {
    const machine = openMachine();
    machine.write(file, text);
    const before = machine.list();
    const { steps } = machine.setUp();
    const path = join(machine.userHome, file);
    expect(steps.filter(({ action }) => action === "refused").map(({ part }) => part.file)).toEqual([path]);
    expect(machine.list()[`/${file}`]).toEqual(before[`/${file}`]);
    expect(machine.list()["/shop/.claude/settings.json"]).toBeDefined();
    machine.remove();
    expect(machine.list()).toEqual(before);
  });
});

/** Ours is added, and nothing else: whatever was there before comes in the same order. */
function withoutOurLines(after: string, before: string): boolean {
  let at = 0;
  for (const sign of before.replaceAll(/\s/g, "")) {
    at = after.indexOf(sign, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

const anyJson = fc.dictionary(
  fc.constantFrom("hooks", "mcpServers", "mcp", "servers", "a", "version", "b\n"),
  fc.dictionary(
    fc.constantFrom("PreToolUse", "Stop", "sessionStart", "other", "x"),
    fc.oneof(fc.array(fc.jsonValue({ maxDepth: 2 }), { maxLength: 3 })),
    { maxKeys: 3 },
  ),
  { maxKeys: 4 },
);

/** Comments, strings, lists and tables, in no order that we would write. */
const anyToml = fc
  .tuple(
    fc.array(fc.tuple(fc.stringMatching(/^[ -~]{0,20}$/), fc.constantFrom("key", "list", "comment", "table", "rows"))),
    fc.constantFrom("\n", "\r\n"),
    fc.boolean(),
  )
  .map(([parts, eol, isEnded]) => {
    const lines = parts.map(([text, kind], at) => {
      const quoted = JSON.stringify(text);
      if (kind === "comment") return `# ${text}`;
      if (kind === "table") return `[t${at}.${quoted}]`;
      if (kind === "rows") return `[[r${at}]]`;
      return kind === "key" ? `k${at} = ${quoted} # why` : `l${at} = [${quoted},${eol}  1_0,]`;
    });
    return lines.join(eol) + (isEnded && lines.length > 0 ? eol : "");
  });
const anyText = fc
  .array(fc.constantFrom("# Shop", "", "Use tabs.", "<!-- crewdeck -->", "\tcode", "ünï"), { maxLength: 6 })
  .chain((lines) => fc.constantFrom("\n", "\r\n").map((eol) => lines.join(eol)));

const blockFiles: readonly (readonly [ClientName, string, fc.Arbitrary<string>])[] = [
  ["codex", ".codex/config.toml", anyToml],
  ["codex", ".codex/AGENTS.md", anyText],
  ["gemini", "shop/GEMINI.md", anyText],
];

describe("setup and removal are opposites, whatever is in a file, and with edits of others between them", () => {
  test.each(jsonFiles)("[SU1, SU5] JSON of %s: %s", (client, file) => {
    opposites(client, file, fc.tuple(anyJson, fc.constantFrom(undefined, 2, "\t")), {
      write: ([value, indent]) => `${JSON.stringify(value, null, indent)}\n`,
      edit: (text) => text.replace("{", '{ "edited": [1],'),
      isLeft: (left, [value]) =>
        expect(JSON.parse(left)).toEqual(JSON.parse(JSON.stringify({ edited: [1], ...value }))),
    });
  });

  test.each(blockFiles)("[SU1, SU5] lines in a file of %s: %s", (client, file, any) => {
    opposites(client, file, any, {
      write: (text) => text,
      edit: (text) => `# edited\n${text}`,
      isLeft: (left, text) => expect(left).toBe(`# edited\n${text}`),
    });
  });
});

function opposites<T>(
  client: ClientName,
  file: string,
  any: fc.Arbitrary<T>,
  by: { write(value: T): string; edit(text: string): string; isLeft(left: string, value: T): void },
): void {
  const machine = openMachine();
  let run = 0;
  fc.assert(
    fc.property(any, fc.boolean(), (value, isEdited) => {
      run += 1;
      const here = machineAt(join(machine.userHome, `run-${run}`));
      const text = by.write(value);
      here.write(file, text);
      here.setUp({ names: [client] });
      if (isEdited) here.write(file, by.edit(here.read(file)));
      here.remove({ names: [client] });
      if (isEdited) by.isLeft(here.read(file), value);
      else expect(here.read(file)).toBe(text);
    }),
    { numRuns: 20 },
  );
}

test("[SU5] a block in somebody's file goes and what they wrote around it since stays", () => {
  const machine = openMachine();
  machine.write(".codex/config.toml", 'model = "x"\n');
  machine.write("shop/GEMINI.md", "# Shop\n");
  machine.setUp();
  machine.write(".codex/config.toml", `${machine.read(".codex/config.toml")}\n[tui]\nx = 1\n`);
  machine.write("shop/GEMINI.md", `Read this.\n${machine.read("shop/GEMINI.md")}`);
  machine.remove();
  expect(machine.read(".codex/config.toml")).toBe('model = "x"\n\n[tui]\nx = 1\n');
  expect(machine.read("shop/GEMINI.md")).toBe("Read this.\n# Shop\n");
});

test("[SU6] what somebody else calls crewdeck, or has written into our place, is left alone", () => {
  const machine = openMachine();
  machine.write("shop/.mcp.json", '{ "mcpServers": { "crewdeck": { "command": "node", "args": ["/mine.js"] } } }');
  machine.write(".codex/config.toml", 'mcp_servers.crewdeck = { command = "mine" }\n');
  machine.write("shop/.claude/rules/crewdeck.md", "My own rules.\n");
  machine.write("shop/.claude/settings.json", '{ "hooks": { "Stop": "none" } }');
  const before = machine.list();
  const { steps } = machine.setUp();
  const kept = steps
    .filter(({ action }) => action === "kept")
    .map(({ part }) => part.file.slice(machine.userHome.length));
  expect(kept.sort()).toEqual([
    "/.codex/config.toml",
    "/shop/.claude/rules/crewdeck.md",
    "/shop/.claude/settings.json",
    "/shop/.mcp.json",
  ]);
  for (const file of kept) expect(machine.list()[file]).toBe(before[file]);
  machine.remove();
  expect(machine.list()).toEqual(before);
});

test("[SU6] a block that somebody has edited is theirs", () => {
  const machine = openMachine();
  machine.setUp({ names: ["gemini"] });
  machine.write("shop/GEMINI.md", machine.read("shop/GEMINI.md").replace("Crewdeck", "Crewdeck, please,"));
  const edited = machine.read("shop/GEMINI.md");
  machine.setUp({ names: ["gemini"] });
  machine.remove({ names: ["gemini"] });
  expect(machine.read("shop/GEMINI.md")).toBe(edited);
});

test("[SU15] what Codex adds to its file before our closing mark stays when our lines go", () => {
  const machine = openMachine();
  const before = 'model = "x"\n';
  machine.write(".codex/config.toml", before);
  machine.setUp({ names: ["codex"] });
  const trust = '\n[projects."/shop"]\ntrust_level = "trusted"\n';
  const config = machine.read(".codex/config.toml").replace("# crewdeck:end", `${trust}# crewdeck:end`);
  machine.write(".codex/config.toml", config);
  expect(machine.plan({ names: ["codex"] }).steps.map(({ action }) => action)).toEqual(["none", "none", "none"]);
  machine.remove({ names: ["codex"] });
  expect(machine.read(".codex/config.toml")).toBe(before + trust);
});

test("[SU7] no configuration names a token, this folder or this Node", () => {
  const machine = openMachine();
  machine.setUp({ baseUrl: "https://deck.example" });
  const written = Object.entries(machine.list()).filter(([file]) => !file.startsWith("/.covibe/"));
  for (const [, text] of written) {
    for (const word of [process.execPath, process.cwd(), "cdk_", machine.userHome]) expect(text).not.toContain(word);
  }
  expect(statSync(machine.companion.hookFile).mode & 0o777).toBe(0o755);
  expect(machine.read("shop/.mcp.json")).toContain("https://deck.example");
});

test("[SU3] another server's address replaces the first, and removal still gives back the beginning", () => {
  const machine = openMachine();
  machine.write("shop/.mcp.json", '{"mcpServers":{}}');
  const before = machine.list();
  machine.setUp({ baseUrl: "https://one.example" });
  machine.setUp({ baseUrl: "https://two.example" });
  expect(machine.read("shop/.mcp.json")).not.toContain("one.example");
  machine.remove();
  expect(machine.list()).toEqual(before);
});

test("[SU9] a configuration that is a link stays one, and its file keeps its mode", () => {
  const machine = openMachine();
  machine.write("dotfiles/settings.json", "{}\n");
  chmodSync(join(machine.userHome, "dotfiles/settings.json"), 0o600);
  machine.write("shop/.claude/settings.json", "");
  const link = join(machine.repository, ".claude", "settings.json");
  renameSync(link, `${link}.old`);
  symlinkSync(join(machine.userHome, "dotfiles/settings.json"), link);
  machine.setUp();
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(machine.read("dotfiles/settings.json")).toContain("hooks");
  machine.remove();
  expect(machine.read("dotfiles/settings.json")).toBe("{}\n");
  expect(statSync(join(machine.userHome, "dotfiles/settings.json")).mode & 0o777).toBe(0o600);
});

test("[SU11] Claude Code and what is found is set up, or what is asked for", () => {
  const machine = openMachine();
  const names = (asked: readonly ClientName[] | "found") =>
    machine.plan({ names: asked }).clients.map(({ name }) => name);
  expect(names("found")).toEqual(["claude-code"]);
  machine.write(".codex/config.toml", "");
  machine.write("shop/.vscode/settings.json", "{}");
  expect(names("found")).toEqual(["claude-code", "codex", "vscode"]);
  expect(names(["cursor"])).toEqual(["cursor"]);
});

test("[SU18] a clone and a worktree are set up by the files of their repository, and know its server", () => {
  const shop = openMachine();
  shop.write(".codex/config.toml", "");
  shop.setUp({ baseUrl: "https://deck.example" });
  const files = ["shop/.mcp.json", "shop/.claude/settings.json", "shop/.cursor/mcp.json"];
  const clone = machineAt(join(shop.userHome, ".."), "clone");
  const copy = { root: clone.repository, main: clone.repository };
  const server = () => configuredServerOf(clone.companion, copy);
  const home = homeAt(join(clone.userHome, "crewdeck-home"));
  const spokenTo = () => serverOf({ companion: clone.companion, home }, copy);
  const here = () => {
    const { companion, place } = clone.plan({ baseUrl: server() }).ask;
    return listSetUp({ companion, place }).map(({ name }) => name);
  };
  // Of the account's clients nobody has said that they are to act here.
  expect(here()).toEqual([]);
  for (const file of files) clone.write(file.replace("shop", "clone"), shop.read(file));
  expect([server(), here()]).toEqual(["https://deck.example", ["claude-code", "cursor"]]);
  // Whoever wrote the address into it is nobody to talk to until a person has signed this machine in there.
  expect(spokenTo()).toBeUndefined();
  writeCredentials(home, { agents: { codex: "cdk_old" }, servers: { "https://else.example": { agents: {} } } });
  expect(spokenTo()).toBeUndefined();
  writeCredentials(home, { servers: { "https://deck.example": { agents: { codex: "cdk_new" } } } });
  expect(spokenTo()).toBe("https://deck.example");
  clone.write(
    "clone/.mcp.json",
    '{"mcpServers":{"crewdeck":{"command":"x","env":{"COVIBE_BASE_URL":"https://x.example"}}}}',
  );
  expect(server()).toBeUndefined();
  clone.setUp({ names: ["codex"], baseUrl: "https://other.example" });
  expect([server(), here()]).toEqual(["https://other.example", ["claude-code", "codex", "cursor", "copilot"]]);
});

test("[SU19] files of the account name no server, so that no repository's setup redirects another's", () => {
  const shop = openMachine();
  shop.setUp({ baseUrl: "https://one.example" });
  const bank = machineAt(join(shop.userHome, ".."), "bank");
  const accountWide = () =>
    Object.entries(shop.list()).filter(([file]) => file.startsWith("/.codex/") || file.startsWith("/.copilot/"));
  const before = accountWide();
  expect(before.length).toBeGreaterThan(4);
  bank.setUp({ baseUrl: "https://two.example" });
  expect(accountWide()).toEqual(before);
  expect(JSON.stringify(before)).not.toContain("https://");
  expect(shop.plan({ baseUrl: "https://one.example" }).steps.map(({ action }) => action)).not.toContain("change");
});

test("[SU12] what all repositories of an account share goes with the last of them", () => {
  const shop = openMachine();
  shop.write(".codex/config.toml", 'model = "x"\n');
  const bank = machineAt(join(shop.userHome, ".."), "bank");
  const before = shop.list();
  shop.setUp();
  bank.setUp();
  shop.remove({ names: "found" });
  expect(shop.read(".codex/config.toml")).toContain("mcp_servers.crewdeck");
  expect(shop.list()["/shop/.mcp.json"]).toBeUndefined();
  // A clone whose files came with its repository is in no manifest; one that is gone keeps nothing here.
  bank.remove({ names: [...clientNames].filter((name) => name !== "codex" && name !== "copilot") });
  for (const path of [bank.repository, join(bank.userHome, "gone")]) registerRepo(bank.companion, { path });
  shop.remove({ names: "found" });
  expect(shop.read(".codex/config.toml")).toContain("mcp_servers.crewdeck");
  for (const left of ["sessions/watch-1.json", "usage/state.json", "journal.jsonl"])
    shop.write(`.covibe/${left}`, "{}");
  bank.remove({ names: "found" });
  expect(shop.list()).toEqual(before);
});
