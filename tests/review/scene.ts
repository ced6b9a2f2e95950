import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { homeAt, readCredentials } from "../../src/adapters/home.ts";
import { silentLog } from "../../src/engine/log.ts";
import { startServer } from "../../src/main.ts";
import { makeFeature, type TestRepository } from "../git/scratch.ts";
import { endPrograms } from "./launched-house.ts";

const standIn = fileURLToPath(new URL("stand-in.mjs", import.meta.url));

interface SceneOptions {
  readonly mode?: "tmux" | "headless";
  readonly behaviour?: string;
  readonly review?: object;
  readonly agents?: object;
  readonly database?: string;
}

/** A server of its own that starts stand-ins, and a repository with a coder's branch in it. */
export async function openScene(options: SceneOptions = {}) {
  const dir = mkdtempSync(join(tmpdir(), "crewdeck-review-"));
  const notes = join(dir, "notes");
  mkdirSync(notes);
  const behave = (behaviour: string, who: "reviewer" | "coder" = "reviewer"): void =>
    writeFileSync(join(notes, `${who}-behaviour`), behaviour);
  behave(options.behaviour ?? "feedback");
  behave(options.behaviour ?? "waits", "coder");
  const agent = {
    command: [process.execPath, standIn, "#(touch pwned)", "$(touch pwned)"],
    env: { STAND_IN_NOTES: notes },
  };
  const config = {
    agents: { standin: { ...agent, mode: options.mode ?? "headless" }, ...options.agents },
    review: { agent: "standin", ...options.review },
  };
  writeFileSync(join(dir, "config.json"), JSON.stringify(config));
  const home = homeAt(dir);
  const open = () =>
    startServer({ home, port: 0, log: silentLog, ...(options.database ? { database: options.database } : {}) });
  let server = await open();
  onTestFinished(async () => {
    await server.close();
    endPrograms(dir);
    endTerminals(dir);
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
  });
  const repository = makeFeature();
  const request = async (
    path: string,
    { headers = {}, ...init }: RequestInit & { headers?: Record<string, string> } = {},
  ) => {
    const token = readCredentials(home).default ?? "";
    const response = await fetch(`${server.url}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
    });
    // biome-ignore lint/suspicious/noExplicitAny: whatever the server says is looked at by the tests.
    return (await response.json()) as any;
  };
  return {
    dir,
    notes,
    behave,
    repository,
    url: () => server.url,
    token: () => readCredentials(home).default ?? "",
    async restart() {
      await server.close();
      server = await open();
    },
    request,
    /** Calls a tool as an agent that sits in a folder; its answer or what it was refused with. */
    async call(tool: string, args: object = {}, folder: string | null = repository.path) {
      const headers: Record<string, string> = folder === null ? {} : { "x-crewdeck-repo": encodeURI(folder) };
      const body = await request(`/api/tools/${tool}`, { method: "POST", headers, body: JSON.stringify(args) });
      return body.ok ? body.result : body.error;
    },
    instances: async (query = "") => (await request(`/api/instances${query}`)).result.instances,
    instance: async (id: string) => (await request(`/api/instances/${id}`)).result,
    read: (name: string): string[] => readLines(join(notes, name)),
  };
}

export type Scene = Awaited<ReturnType<typeof openScene>>;
export type { TestRepository };

function readLines(file: string): string[] {
  try {
    return readFileSync(file, "utf8").split("\n").filter(Boolean);
  } catch {
    return [];
  }
}

/** Ends the terminals of a home, if there are any. */
export function endTerminals(dir: string): void {
  try {
    execFileSync("tmux", ["-S", join(dir, "agents", "tmux.sock"), "kill-server"], { stdio: "ignore" });
  } catch {
    // None were opened.
  }
}

/** The sessions of a home's terminals. */
export function listTerminals(dir: string): string[] {
  const socket = join(dir, "agents", "tmux.sock");
  if (!existsSync(socket)) return [];
  try {
    const args = ["-S", socket, "list-sessions", "-F", "#{session_name}"];
    return execFileSync("tmux", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).split("\n");
  } catch {
    return [];
  }
}
