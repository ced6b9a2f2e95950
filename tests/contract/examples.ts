import { randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Example } from "../../src/contract/tool.ts";
import { makeFolder, makeRepository, repositoryLike } from "../git/scratch.ts";
import { tgz } from "../index/archives.ts";
import { dependabotAlert, writeReports } from "../index/findings.ts";
import { serveFile } from "../index/lying-server.ts";

/** Any way to call a tool that answers its value: dispatch, MCP, HTTP or the command line. */
export type CallTool = (tool: string, args: Record<string, unknown>) => Promise<Record<string, unknown>>;

export type Input = Record<string, unknown>;

/** Whether a call works for anybody anywhere; the others are made by the tests of their tools. */
export const isAnybodys = ({ from, needs }: Example): boolean => from === undefined && needs === undefined;

/**
 * Makes the examples of the definitions callable. The function it answers puts real ids where an input has `$agent`,
 * `$task` or another name that begins so, and creates the records that stand behind them: new ones for each input and
 * only those it names, so that examples can run in any order and any number of times.
 */
export function prepareExamples(call: CallTool): (input: Input) => Promise<Input> {
  return async (input) => {
    const records = new Records(call);
    return (await fill(input, records)) as Input;
  };
}

async function fill(value: unknown, records: Records): Promise<unknown> {
  if (typeof value === "string") return value.startsWith("$") ? records.get(value) : value;
  if (Array.isArray(value)) return Promise.all(value.map((item) => fill(item, records)));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(async ([key, item]) => {
    // A number is no text that could stand for a record: the first pull request stands for any.
    const isPull = key === "number" && item === 1;
    return [key, isPull ? Number(await records.get("$pull")) : await fill(item, records)] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

let count = 0;

/** A title that no other work has a word in common with, so that nothing stands in its way. */
const newTitle = (): string => Array.from({ length: 4 }, () => randomBytes(5).toString("hex")).join(" ");

const checkOf = (placeholder: string, about: Input): [tool: string, args: Input] =>
  placeholder.endsWith("workstream")
    ? ["covibe_workstream", { operation: "check", ...about }]
    : ["covibe_task", { operation: "check", task_type: "chore", ...about }];

/** The records of one example, made when they are first asked for. */
class Records {
  readonly #call: CallTool;
  readonly #made = new Map<string, Promise<string>>();
  #candidate = "";

  constructor(call: CallTool) {
    this.#call = call;
  }

  get(placeholder: string): Promise<string> {
    const made = this.#made.get(placeholder) ?? this.#make(placeholder);
    this.#made.set(placeholder, made);
    return made;
  }

  async #make(placeholder: string): Promise<string> {
    count += 1;
    switch (placeholder) {
      case "$agent":
      case "$peer":
        return this.#id("agent_register", { name: `Example ${count}`, runtime: "custom" });
      case "$message":
        return this.#id("message_send", {
          sender_id: await this.get("$peer"),
          recipient_id: await this.get("$agent"),
          message_type: "notification",
          body: "The build is green again.",
        });
      case "$repository": {
        const path = `/srv/code/example-${process.pid}-${count}`;
        await this.#call("repository_register", { path });
        return path;
      }
      case "$token":
        return this.#id("token_create", { label: `example ${count}` });
      case "$handle": {
        const handle = `example-${process.pid}-${count}`;
        await this.#call("developer_create", { handle });
        return handle;
      }
      case "$unplanned":
        return this.#id("workflow_create", {
          name: `Example ${count}`,
          source_type: "prompt",
          source_content: "Do it.",
        });
      case "$workflow":
        return this.#planned();
      case "$task":
        return this.#task("Free");
      case "$held": {
        const id = await this.#task("Held");
        await this.#call("task_claim", { task_id: id, agent_id: await this.get("$agent") });
        return id;
      }
      case "$running": {
        const id = await this.#task("Running");
        for (const status of ["planning", "in_progress"]) await this.#call("task_update_status", { id, status });
        return id;
      }
      case "$workspace": {
        const path = `/srv/code/example-${process.pid}-${count}-worktree`;
        return this.#id("workspace_create", { workflow_id: await this.get("$workflow"), path, branch: "work/example" });
      }
      case "$vault":
        return this.#copy(await this.get("$workflow"));
      case "$folder":
        return join(dirname(await this.get("$checkout")), "restored");
      case "$checkout":
        return makeRepository().path;
      case "$indexed":
        return this.#indexed();
      case "$branched":
        return this.#branched();
      case "$pull": {
        const ask = { repository: await this.get("$branched"), branch: "work/login", title: "Add a login page" };
        return String(((await this.#call("pull_open", ask))["pull"] as { number: number }).number);
      }
      case "$checked":
        return this.#checked();
      case "$checked_hash":
        return String((await this.#call("checks_show", { path: await this.get("$checked") }))["config_hash"]);
      case "$findings":
        return writeReports(await this.get("$checkout"), [dependabotAlert(count)]);
      case "$finding": {
        const reports = { source: "dependabot", repoPath: await this.get("$checkout") };
        const inputPath = await this.get("$findings");
        const { recordIds } = await this.#call("triage_ingest", { ...reports, inputPath });
        return String((recordIds as string[])[0]);
      }
      case "$model":
        return serveFile("/model.onnx", Buffer.from(`weights ${count}`));
      case "$dictionary":
        return `example-${count}=${await serveFile("/words.txt", Buffer.from(`words ${count}`))}`;
      case "$extension":
        return serveFile("/extension.tgz", tgz([{ name: "vec0.so", content: `library ${count}` }]));
      case "$copied": {
        const repoPath = await this.get("$indexed");
        await this.#call("build_sqlite_index", { repoPath });
        return repoPath;
      }
      case "$mission":
        return String(
          (await this.#call("start_mission", { name: `Example ${count}`, objective: "It is done." }))["mission_id"],
        );
      case "$mission_task": {
        const mission_id = await this.get("$mission");
        return String(
          (await this.#call("start_task", { mission_id, name: "Example", goal: "It is done." }))["task_id"],
        );
      }
      case "$ended_task": {
        const task_id = await this.get("$mission_task");
        await this.#call("complete_task", { task_id, status: "success", outcome: { summary: "It is done." } });
        return task_id;
      }
      case "$issue": {
        const issue = {
          task_id: await this.get("$mission_task"),
          type: "other",
          description: "Which one?",
          resolution: "The first.",
          requires_human_review: true,
        };
        return String((await this.#call("log_issue", issue))["issue_id"]);
      }
      case "$session":
        return this.#told("covibe_session", { operation: "start", agent_name: `Example ${count}` }, "session_id");
      case "$context": {
        const context = { operation: "publish_context", title: `Example ${count}`, summary: "Half done." };
        return this.#told("covibe_session", { ...context, repo: `acme/example-${process.pid}-${count}` }, "context_id");
      }
      case "$checked_task":
      case "$checked_workstream": {
        const title = newTitle();
        await this.#call(...checkOf(placeholder, { title }));
        return title;
      }
      case "$team_task":
        return this.#begun("covibe_task");
      case "$workstream":
        return this.#begun("covibe_workstream");
      case "$planned_task":
        return this.#told("covibe_task", { operation: "plan", title: newTitle(), task_type: "chore" }, "task_id");
      case "$planned_workstream":
        return this.#told("covibe_workstream", { operation: "plan", title: newTitle() }, "workstream_id");
      case "$planned_checked_task": {
        const title = newTitle();
        const id = await this.#told("covibe_task", { operation: "plan", title, task_type: "chore" }, "task_id");
        await this.#call(...checkOf(placeholder, { title, planned_task_id: id }));
        return id;
      }
      case "$planned_checked_workstream": {
        const title = newTitle();
        const id = await this.#told("covibe_workstream", { operation: "plan", title }, "workstream_id");
        await this.#call(...checkOf(placeholder, { title, planned_workstream_id: id }));
        return id;
      }
      case "$warning":
      case "$check": {
        const title = newTitle();
        this.#candidate = await this.#begun("covibe_task", title);
        return this.#told(...checkOf(placeholder, { title }), `${placeholder.slice(1)}_id`);
      }
      case "$candidate":
        await this.get("$check");
        return this.#candidate;
      case "$claim": {
        const claim = { operation: "claim", repo: `acme/example-${process.pid}-${count}`, paths: ["src"] };
        return this.#told("covibe_coordination", claim, "claim_id");
      }
      case "$ask": {
        const ask = { operation: "ask", to: await this.#ownHandle(), question: "May I rename it?" };
        return this.#told("covibe_coordination", ask, "ask_id");
      }
      case "$handoff": {
        const handoff = { operation: "handoff", to: await this.#ownHandle(), summary: "The tests are missing." };
        return this.#told("covibe_coordination", handoff, "handoff_id");
      }
      default:
        throw new Error(`no example record is called ${placeholder}`);
    }
  }

  /** Whoever calls, as teammates call them. */
  async #ownHandle(): Promise<string> {
    return String((await this.#call("agent_get", { id: await this.get("$agent") }))["developer"]);
  }

  /** A repository that can be searched. */
  async #indexed(): Promise<string> {
    const repoPath = await this.get("$checkout");
    writeFileSync(join(repoPath, "read.ts"), "export function readFile(path: string) {\n  return open(path);\n}\n");
    await this.#call("build_index", { repoPath });
    return repoPath;
  }

  /** A repository with a branch that can be merged. */
  async #branched(): Promise<string> {
    return repositoryLike(join(makeFolder(), "shop"), "branched", (repository) => {
      repository.commit("first", { "a.txt": "one\n" });
      repository.git("checkout", "-q", "-b", "work/login");
      repository.commit("login", { "a.txt": "one\nmore\n" });
      repository.git("checkout", "-q", "main");
    }).path;
  }

  /** A repository that wants something to be run when a task ends. */
  async #checked(): Promise<string> {
    const path = await this.get("$checkout");
    mkdirSync(join(path, ".crewdeck"));
    writeFileSync(join(path, ".crewdeck", "checks.json"), '{"checks": [{"name": "unit", "command": ["true"]}]}');
    return path;
  }

  /** What was kept of a worktree that was made and removed. */
  async #copy(workflow_id: string): Promise<string> {
    const repo_path = await this.get("$checkout");
    const ask = { workflow_id, path: join(dirname(repo_path), "removed"), branch: "work/removed", repo_path };
    const id = await this.#id("workspace_create", { ...ask, create_worktree: true });
    await this.#call("workspace_update", { id, status: "abandoned", cleanup_worktree: true });
    const { entries } = await this.#call("vault_list", {});
    const found = (entries as { id: string; worktree_id: string }[]).find((entry) => entry.worktree_id === id);
    if (!found) throw new Error("nothing was kept of the example worktree");
    return found.id;
  }

  /** A workflow with a task for each of the states an example may need one in. */
  async #planned(): Promise<string> {
    const id = await this.#make("$unplanned");
    const tasks = ["Free", "Held", "Running"].map((name) => ({ name, description: "Do it.", sequence: 1 }));
    await this.#call("workflow_set_plan", { id, plan: { summary: "Three", approach: "In any order", tasks } });
    return id;
  }

  async #task(name: string): Promise<string> {
    const { tasks } = await this.#call("workflow_get", { id: await this.get("$workflow"), include_tasks: true });
    const found = (tasks as { id: string; name: string }[]).find((task) => task.name === name);
    if (!found) throw new Error(`the example workflow has no task ${name}`);
    return found.id;
  }

  /** Work that was checked and started. */
  async #begun(tool: string, title = newTitle()): Promise<string> {
    const isTask = tool === "covibe_task";
    const about = { title, ...(isTask ? { task_type: "chore" } : {}) };
    await this.#call(tool, { operation: "check", ...about });
    return this.#told(tool, { operation: "start", ...about }, isTask ? "task_id" : "workstream_id");
  }

  async #id(tool: string, args: Input): Promise<string> {
    return String((await this.#call(tool, args))["id"]);
  }

  /** What a tool of the team family answers among its data. */
  async #told(tool: string, args: Input, key: string): Promise<string> {
    return String(((await this.#call(tool, args))["data"] as Input)[key]);
  }
}
