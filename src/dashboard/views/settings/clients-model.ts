import type { AnswerOf } from "../../../tools/calls.ts";
import { callTool } from "../../data/api.ts";
import { type Reading, readAgain } from "../../data/store.ts";

type Report = AnswerOf<"machine_list">["machines"][number];
type Client = Report["clients"][number];
type Check = Report["checks"][number];
type Part = NonNullable<Client["entry"]>;

export const machinesReading: Reading<readonly Report[]> = {
  key: "settings machines",
  load: async () => (await callTool("machine_list", {})).machines,
  applyEvent: (value, { kind }) => (kind === "machine.reported" ? readAgain : value),
};

export interface Machine {
  readonly name: string;
  /** Its newest report: what holds for the whole machine is taken from there. */
  readonly newest: Report;
  readonly repositories: readonly Report[];
}

/** The last heard of first, as they come. */
export function groupMachines(reports: readonly Report[]): Machine[] {
  const byName = new Map<string, Report[]>();
  for (const report of reports) byName.set(report.machine, [...(byName.get(report.machine) ?? []), report]);
  return [...byName].flatMap(([name, repositories]) =>
    repositories[0] === undefined ? [] : [{ name, newest: repositories[0], repositories }],
  );
}

const titles: Readonly<Record<Client["client"], string>> = {
  "claude-code": "Claude Code",
  codex: "Codex",
  cursor: "Cursor",
  gemini: "Gemini CLI",
  opencode: "opencode",
  copilot: "Copilot CLI",
  vscode: "VS Code",
};

const partWords: Readonly<Record<Part, string>> = {
  set_up: "set up",
  changed: "changed",
  taken: "taken",
  broken: "unreadable",
  missing: "missing",
};

export interface Row {
  readonly title: string;
  readonly cells: readonly { readonly name: string; readonly words: string; readonly tone: Tone }[];
}
type Tone = "attention" | "danger" | undefined;

/** A client with its parts, in words. */
export function rowOf(client: Client): Row {
  const part = (name: string, state: Part | null) => ({
    name,
    words: state === null ? "—" : partWords[state],
    tone: toneOf(state),
  });
  return {
    title: titles[client.client],
    cells: [
      part("MCP entry", client.entry),
      part("Hooks", client.hooks),
      part("Instructions", client.instructions),
      {
        name: "Approval",
        words:
          client.trust === null
            ? "—"
            : { given: "given", awaited: "waits for you", unknown: "not recorded" }[client.trust],
        tone: client.trust === "awaited" ? "attention" : undefined,
      },
      {
        name: "Own list",
        words: client.listing === null ? "—" : { named: "names it", unnamed: "doesn’t name it" }[client.listing],
        tone: client.listing === "unnamed" ? "attention" : undefined,
      },
    ],
  };
}

const toneOf = (state: Part | null): Tone =>
  state === "broken" ? "danger" : state === null || state === "set_up" ? undefined : "attention";

/** What is to be done, and the command for it where there is one. */
export interface Todo {
  readonly words: string;
  readonly command?: string;
}

/** What a repository's clients still need. */
export const listTodos = ({ clients, checks }: Report): Todo[] => [
  ...clients.flatMap(todosOf),
  ...checks.filter(({ check }) => check === "inbox").flatMap(todoOf),
];

/** What a machine still needs, whichever repository. */
export const listMachineTodos = ({ checks }: Report): Todo[] =>
  checks.filter(({ check }) => check !== "inbox").flatMap(todoOf);

function todosOf({ client, entry, hooks, instructions, trust, listing }: Client): Todo[] {
  const title = titles[client];
  const parts = [entry, hooks, instructions];
  const again = `crewdeck setup --client ${client}`;
  if (parts.includes("broken"))
    return [{ words: `A file of ${title} has broken syntax. Fix it, then run:`, command: again }];
  if (parts.includes("taken"))
    return [{ words: `${title} has an entry of yours in our place. Rename or remove it, then run:`, command: again }];
  if (parts.every((state) => state === null || state === "missing"))
    return [{ words: `${title} is installed and not set up.`, command: again }];
  if (parts.some((state) => state === "changed" || state === "missing"))
    return [{ words: `${title}’s files have changed since setup.`, command: "crewdeck doctor --fix" }];
  if (trust === "awaited") return [approvals[client] ?? { words: `${title} waits for your approval.` }];
  const command = listings[client];
  if (listing === "unnamed" && command !== undefined)
    return [{ words: `${title} doesn’t name the server. See what it says:`, command }];
  return [];
}

const approvals: Readonly<Partial<Record<Client["client"], Todo>>> = {
  "claude-code": {
    words: "Claude Code asks once whether to use .mcp.json. Start it in the repository and accept.",
    command: "claude",
  },
  codex: { words: "Codex runs hooks only after you trust them. Start it once and accept them.", command: "codex" },
};

const listings: Readonly<Partial<Record<Client["client"], string>>> = {
  "claude-code": "claude mcp get crewdeck",
  codex: "codex mcp get crewdeck",
  gemini: "gemini mcp list",
  opencode: "opencode mcp list",
  copilot: "copilot mcp list",
};

function todoOf({ check, state, count }: Check): Todo[] {
  const todo = todos[`${check} ${state}`];
  return todo === undefined ? [] : [{ ...todo, words: todo.words.replace("#", String(count ?? "some")) }];
}

/** By what was checked and what was found; what is missing here needs nobody. */
const todos: Readonly<Record<string, Todo>> = {
  "hook broken": { words: "The hook that clients call doesn’t work.", command: "crewdeck setup" },
  "hook moved": { words: "The hook belongs to another installation.", command: "crewdeck doctor --fix" },
  "hook slow": { words: "The hook is slow: clients wait for it at every edit." },
  "bridge broken": { words: "The program that clients start for MCP doesn’t work.", command: "crewdeck setup" },
  "inbox waiting": { words: "Usage reports that wait: #.", command: "crewdeck telemetry" },
  "inbox refused": { words: "Usage reports that could not be read: #. They are in .covibe/telemetry/refused." },
  "journal unchecked": {
    words: "Edits made while the server was away: #. They are reported once it runs.",
    command: "crewdeck up",
  },
  "watch stopped": { words: "Edits by shell commands aren’t seen.", command: "crewdeck watch" },
  "clock off": { words: "The clock is # s off the server’s. Turn on time synchronization." },
};

/** What holds for the machine, in a line. */
export function sayMachine({ checks }: Report): string {
  return checks.flatMap(({ check, state }) => facts[`${check} ${state}`] ?? []).join(" · ");
}

const facts: Readonly<Record<string, string>> = {
  "hook works": "hook works",
  "bridge works": "bridge works",
  "watch running": "watching",
  "service installed": "watch starts with your session",
  "clock right": "clock in sync",
};
