import { afterAll, beforeAll, expect, test } from "vitest";
import { createHome, crewdeck, crewdeckJson, ensureBuilt, type TestHome } from "./program.ts";

/** The example team, looked at from every side. */
const { home, close } = createHome();
let demo: TestHome;

beforeAll(async () => {
  await ensureBuilt();
  const { home: dir } = await crewdeckJson<{ home: string }>(home, "demo");
  demo = { dir, env: { ...home.env, CREWDECK_HOME: dir } };
});

afterAll(async () => {
  await crewdeck(home, ["demo", "--remove"]);
  await close();
});

const call = <T>(tool: string, args: object = {}): Promise<T> =>
  crewdeckJson<T>(demo, "call", tool, "--input", JSON.stringify(args));

interface Task {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly workflow_id: string | null;
  readonly claimed_by: string | null;
  readonly holder: string | null;
  readonly holder_developer: string | null;
  readonly runtime: string | null;
  readonly developer: string;
}

interface Member {
  readonly id: string;
  readonly name: string;
  readonly client: string | null;
  readonly developer: string;
  readonly status: string;
  readonly branch: string | null;
  readonly cost_usd: number | null;
  readonly tasks: readonly { readonly id: string }[];
}

interface Usage {
  readonly groups: readonly { readonly key: string | null; readonly cost_usd: number; readonly total: number }[];
  readonly total: { readonly cost_usd: number; readonly total: number };
}

const tasks = async () => (await call<{ tasks: Task[] }>("task_list", { limit: 100 })).tasks;
const crew = async () => (await call<{ agents: Member[] }>("crew_list")).agents;
const known = <T extends { developer: string }>(all: readonly T[]) => all.filter((one) => one.developer !== "@private");

test("[CL96] every task in hand is some agent's, and every agent is at work on what the board says", async () => {
  const [board, members] = [await tasks(), await crew()];
  const agents = new Map(members.map((member) => [member.id, member]));
  for (const task of known(board).filter(({ status }) => ["active", "done"].includes(status))) {
    const agent = agents.get(task.claimed_by ?? "");
    expect(agent, task.name).toMatchObject({ name: task.holder, developer: task.holder_developer });
    expect(task.runtime?.replaceAll("_", "-"), task.name).toBe(agent?.client);
    if (task.status === "active") expect(agent?.tasks.map(({ id }) => id)).toContain(task.id);
  }
  for (const member of known(members)) {
    for (const { id } of member.tasks) expect(board.find((task) => task.id === id)?.claimed_by).toBe(member.id);
    if (member.tasks.length > 0) expect(member.status, member.name).toBe("working");
  }
});

test("[CL96] sessions, agents and the team's state name the same people, branches and cost", async () => {
  const members = known(await crew()).filter(({ branch }) => branch !== null);
  type Session = { id: string; agent_name: string; developer: string; branch: string; usage: { cost_usd: number } };
  const { sessions } = await crewdeckJson<{ sessions: Session[] }>(demo, "sessions");
  const seen = known(sessions).map((one) => [one.id, one.agent_name, one.developer, one.branch, one.usage.cost_usd]);
  const expected = members.map((one) => [one.id, one.name, one.developer, one.branch, one.cost_usd]);
  expect(seen.sort()).toEqual(expected.sort());
  expect(members).toHaveLength(3);
});

test("[CL96] what was spent is the same by model, developer, session and task, and belongs to work of its spender", async () => {
  const board = await tasks();
  const by = (group_by: string) => call<Usage>("usage_report", { group_by });
  const [model, developer, session, task] = [
    await by("model"),
    await by("developer"),
    await by("session"),
    await by("task"),
  ];
  for (const report of [model, developer, session, task]) {
    expect(report.total).toEqual(model.total);
    const sum = report.groups.reduce((all, group) => all + group.total, 0);
    expect(sum).toBe(model.total.total);
  }
  expect(task.groups.map(({ key }) => board.some(({ id }) => id === key))).toEqual(task.groups.map(() => true));
});

test("[CL96] no view shows an agent or a person by a bare id", async () => {
  for (const command of [
    "status",
    "board",
    "sessions",
    "inbox",
    "log",
    "workflow list",
    "mission list",
    "usage --by session",
  ]) {
    const { code, stdout } = await crewdeck(demo, command.split(" "));
    expect(code, command).toBe(0);
    // Ids have a column of their own, at an edge; in the middle of a line stands a name.
    expect(stdout.match(/\S+ {2,}(ag|dev)_[0-9a-z]{26} {2,}\S+/g), command).toBeNull();
  }
});
