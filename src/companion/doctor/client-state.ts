import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { listingStates, OneOf, partStates, trustStates } from "../../contract/words.ts";
import type { Client, ClientName, Place } from "../clients/client.ts";
import { listTomlNames } from "../edit/toml-scan.ts";
import { readJsonFile } from "../files.ts";
import { recordOf } from "../hook/signal.ts";
import type { Step } from "../setup/plan.ts";
import type { Listing } from "./own-listing.ts";

type PartState = OneOf<typeof partStates>;

/** How a client is set up in a repository, in names and states: no path, no content, nothing that it printed. */
export interface ClientState {
  readonly client: ClientName;
  /** Null where the client has no such part. */
  readonly entry: PartState | null;
  readonly hooks: PartState | null;
  readonly instructions: PartState | null;
  /** Null where nobody has to say yes. */
  readonly trust: OneOf<typeof trustStates> | null;
  /** Null where it can't be asked. */
  readonly listing: OneOf<typeof listingStates> | null;
}

export function stateOf(
  client: Client,
  steps: readonly Step[],
  { place, listing }: { place: Place; listing: Listing | undefined },
): ClientState {
  const partOf = (...purposes: readonly string[]): PartState | null => {
    const step = steps.find(({ part }) => purposes.includes(part.purpose));
    return step === undefined ? null : partStateOf(step);
  };
  return {
    client: client.name,
    entry: partOf("MCP server", "MCP server and hooks"),
    hooks: partOf("hooks", "MCP server and hooks", "plugin"),
    instructions: partOf("instructions"),
    trust: trustOf(client, place),
    listing: listing === undefined ? null : listing.problem === undefined ? "named" : "unnamed",
  };
}

/** Found on this machine, and setup was never run for it here. */
export const missingState = ({ name, parts }: Client, place: Place): ClientState => {
  const purposes = new Set<string>(parts(place).map(({ purpose }) => purpose));
  const partOf = (...names: readonly string[]) => (names.some((one) => purposes.has(one)) ? "missing" : null);
  return {
    client: name,
    entry: "missing",
    hooks: partOf("hooks", "MCP server and hooks", "plugin"),
    instructions: partOf("instructions"),
    trust: null,
    listing: null,
  };
};

const partStateOf = ({ action }: Step): PartState => {
  if (action === "refused") return "broken";
  if (action === "kept") return "taken";
  if (action === "create") return "missing";
  return action === "none" ? "set_up" : "changed";
};

/** As far as the client writes down that a person said yes. */
function trustOf({ name, todo, parts }: Client, place: Place): ClientState["trust"] {
  if (todo.length === 0) return null;
  if (name === "claude-code") return isApproved(place) ? "given" : "awaited";
  if (name !== "codex") return "unknown";
  const [config, hooks] = parts(place).map(({ file }) => file);
  return isTrusted(config ?? "", hooks ?? "") ? "given" : "awaited";
}

function isApproved({ repository, userHome }: Place): boolean {
  const listed = [
    join(repository, ".claude", "settings.local.json"),
    join(repository, ".claude", "settings.json"),
    join(userHome, ".claude", "settings.json"),
  ].map((file) => recordOf(readJsonFile(file)));
  const projects = recordOf(recordOf(readJsonFile(join(userHome, ".claude.json")))?.["projects"]);
  return [...listed, recordOf(projects?.[repository])].some((settings) => {
    const servers = settings?.["enabledMcpjsonServers"];
    return (
      settings?.["enableAllProjectMcpServers"] === true || (Array.isArray(servers) && servers.includes("crewdeck"))
    );
  });
}

/** Codex keeps a table for each hook that somebody has trusted, under the name of its file. */
function isTrusted(config: string, hooks: string): boolean {
  try {
    const names = listTomlNames(readFileSync(config, "utf8"));
    return names.some(
      ([first, second, key]) => first === "hooks" && second === "state" && key?.startsWith(hooks) === true,
    );
  } catch {
    return false;
  }
}
