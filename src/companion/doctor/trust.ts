import { dirname, join, relative } from "node:path";
import type { OneOf, trustStates } from "../../contract/words.ts";
import type { Client, Place } from "../clients/client.ts";
import { isOurEntry } from "../clients/lines.ts";
import { listTomlNames } from "../edit/toml-scan.ts";
import { readBytes, readJsonFile } from "../files.ts";
import { recordOf } from "../hook/signal.ts";
import { copyAt } from "../repository.ts";
import { askCodexHooks } from "./codex-hooks.ts";

/** Whether a person has said yes, as far as the client writes it down, and what still waits for them. */
export interface Trust {
  /** Null where nobody has to say yes. */
  readonly state: OneOf<typeof trustStates> | null;
  readonly awaited?: string;
}

const given: Trust = { state: "given" };
const waitsFor = (awaited: string): Trust => ({ state: "awaited", awaited });

export async function trustOf({ name, todo, parts }: Client, place: Place): Promise<Trust> {
  if (todo.length === 0) return { state: null };
  if (name === "claude-code") return claudeTrust(place);
  if (name === "gemini") return isFolderTrusted(place) ? given : waitsFor("waits until you trust this folder");
  if (name !== "codex") return { state: "unknown" };
  const [config, hooks] = parts(place).map(({ file }) => file);
  const isTrusted = (await askCodexHooks(place)) ?? areNoted(config ?? "", hooks ?? "");
  return isTrusted ? given : waitsFor("its hooks are not trusted yet");
}

/** Of a worktree the main checkout's answers count too. What a repository says of itself counts once its folder is trusted. */
function claudeTrust({ repository, userHome }: Place): Trust {
  const { main, root } = copyAt(repository);
  const copies = [...new Set([root, main])];
  const projects = recordOf(recordOf(readJsonFile(join(userHome, ".claude.json")))?.["projects"]);
  const ofProjects = copies.map((path) => recordOf(projects?.[path]));
  const ofFiles = [userHome, ...copies].flatMap((folder) =>
    ["settings.local.json", "settings.json"].map((name) => recordOf(readJsonFile(join(folder, ".claude", name)))),
  );
  const isApproved = [...ofProjects, ...ofFiles].some((settings) => {
    const servers = settings?.["enabledMcpjsonServers"];
    return (
      settings?.["enableAllProjectMcpServers"] === true || (Array.isArray(servers) && servers.includes("crewdeck"))
    );
  });
  if (!isApproved) return waitsFor("waits for your approval of `.mcp.json`");
  const trusted = Object.entries(projects ?? {}).filter(
    ([, settings]) => recordOf(settings)?.["hasTrustDialogAccepted"] === true,
  );
  const isTrusted = trusted.some(([path]) => copies.some((copy) => isInside(path, copy)));
  return isTrusted ? given : waitsFor("waits until you trust this folder: start `claude` there once");
}

function isFolderTrusted({ repository, userHome }: Place): boolean {
  const settings = recordOf(readJsonFile(join(userHome, ".gemini", "settings.json")));
  if (recordOf(recordOf(settings?.["security"])?.["folderTrust"])?.["enabled"] === false) return true;
  const folders = Object.entries(recordOf(readJsonFile(join(userHome, ".gemini", "trustedFolders.json"))) ?? {});
  if (folders.some(([path, level]) => path === repository && level === "DO_NOT_TRUST")) return false;
  return folders.some(
    ([path, level]) =>
      (level === "TRUST_FOLDER" && isInside(path, repository)) ||
      (level === "TRUST_PARENT" && isInside(dirname(path), repository)),
  );
}

/** Codex keeps a table for each hook that somebody has trusted, named by its file, event and place in it. */
function areNoted(config: string, hooksFile: string): boolean {
  try {
    const names = listTomlNames(readBytes(config)?.toString("utf8") ?? "");
    const noted = new Set(
      names.flatMap(([first, second, key]) => (first === "hooks" && second === "state" && key ? [key] : [])),
    );
    const events = Object.entries(recordOf(recordOf(readJsonFile(hooksFile))?.["hooks"]) ?? {});
    const own = events.flatMap(([event, groups]) =>
      (Array.isArray(groups) ? groups : []).flatMap((group: unknown, at) => {
        const hooks = recordOf(group)?.["hooks"];
        return (Array.isArray(hooks) ? hooks : []).flatMap((hook: unknown, place) =>
          isOurEntry(hook) ? [`${hooksFile}:${snakeCase(event)}:${at}:${place}`] : [],
        );
      }),
    );
    return own.length > 0 && own.every((key) => noted.has(key));
  } catch {
    return false;
  }
}

const snakeCase = (event: string): string => event.replaceAll(/(?<=[a-z])[A-Z]/g, "_$&").toLowerCase();

const isInside = (folder: string, path: string): boolean => !relative(folder, path).startsWith("..");
