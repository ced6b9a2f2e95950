import { existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import type { Client, ClientName, Place } from "../clients/client.ts";
import { listTomlNames } from "../edit/toml-scan.ts";
import { readBytes, readJsonFile } from "../files.ts";
import { recordOf } from "../hook/signal.ts";
import { copyAt } from "../repository.ts";
import { type Finding, warning } from "./finding.ts";

/** What else on this machine speaks for us, or keeps our hooks from running: nothing that setup wrote. */
export function strayFindings({ name, parts }: Client, place: Place): Finding[] {
  const own = new Set(parts(place).map(({ file }) => file));
  const others = (places[name]?.(place) ?? []).filter(({ file }) => !own.has(file));
  const doubles = others.flatMap(({ file, key, at, how }) => {
    const entry = entryIn(file, [...(at ?? []), key, "crewdeck"]);
    if (entry === undefined) return [];
    const what = isDead(entry) ? "another entry `crewdeck`, of a program that is gone," : "another entry `crewdeck`";
    return [warning(name, `${what} is in ${file}`, how ?? `Remove it from ${file}.`)];
  });
  return [...doubles, ...(name === "claude-code" ? switchedOff(place) : [])];
}

interface OtherPlace {
  readonly file: string;
  readonly key: string;
  /** Where in the file the key stands, but for its top. */
  readonly at?: readonly string[];
  readonly how?: string;
}

/** Where each client also looks for servers. */
const places: Readonly<Partial<Record<ClientName, (place: Place) => OtherPlace[]>>> = {
  "claude-code": ({ userHome, repository }) => [
    {
      file: join(userHome, ".claude.json"),
      key: "mcpServers",
      how: "Remove it with: claude mcp remove crewdeck -s user",
    },
    ...[...new Set([repository, copyAt(repository).main])].map((path) => ({
      file: join(userHome, ".claude.json"),
      key: "mcpServers",
      at: ["projects", path],
      how: "Remove it with: claude mcp remove crewdeck -s local",
    })),
  ],
  codex: ({ repository }) => [{ file: join(repository, ".codex", "config.toml"), key: "mcp_servers" }],
  gemini: ({ userHome }) => [{ file: join(userHome, ".gemini", "settings.json"), key: "mcpServers" }],
  cursor: ({ userHome }) => [{ file: join(userHome, ".cursor", "mcp.json"), key: "mcpServers" }],
  opencode: ({ userHome, env, repository }) => [
    ...["opencode.json", "opencode.jsonc"].flatMap((name) => [
      { file: join(env["XDG_CONFIG_HOME"] || join(userHome, ".config"), "opencode", name), key: "mcp" },
      { file: join(repository, name), key: "mcp" },
    ]),
  ],
};

function entryIn(file: string, path: readonly string[]): unknown {
  try {
    if (!file.endsWith(".toml")) return path.reduce<unknown>((at, key) => recordOf(at)?.[key], readJsonFile(file));
    const names = listTomlNames(readBytes(file)?.toString("utf8") ?? "");
    return names.some((name) => path.every((key, at) => name[at] === key)) ? {} : undefined;
  } catch {
    return undefined;
  }
}

/** It names a file by its full path, and there is none. */
function isDead(entry: unknown): boolean {
  const { command, args } = recordOf(entry) ?? {};
  const files = [command, args].flat().filter((word) => typeof word === "string" && isAbsolute(word)) as string[];
  return files.some((file) => !existsSync(file));
}

function switchedOff({ userHome, repository }: Place): Finding[] {
  const { main, root } = copyAt(repository);
  const files = [...new Set([userHome, root, main])].flatMap((folder) =>
    ["settings.json", "settings.local.json"].map((name) => join(folder, ".claude", name)),
  );
  return files
    .filter((file) => recordOf(readJsonFile(file))?.["disableAllHooks"] === true)
    .map((file) =>
      warning("claude-code", `hooks are turned off by \`disableAllHooks\` in ${file}`, `Remove it from ${file}.`),
    );
}
