import { expect, test } from "vitest";
import type { Work } from "../../src/domain/work.ts";
import type { Db, Query } from "../../src/storage/db.ts";
import { forEachStore, openTestHouse, type TestHouse } from "../../src/testing/house.ts";
import { catalog } from "../../src/tools/catalog.ts";
import { bring, newWorkflow, planOf, taskIds } from "./work.ts";

const size = 10_000;

/** A hundred stages of a hundred tasks; each waits for three of the stage before. */
const tasks = Array.from({ length: size }, (_, at) => {
  const stage = Math.floor(at / 100);
  const before = [0, 7, 50].map((step) => `task ${(stage - 1) * 100 + ((at + step) % 100)}`);
  return {
    name: `task ${at}`,
    sequence: stage + 1,
    parallel_group: `stage ${stage + 1}`,
    depends_on: stage === 0 ? [] : before,
  };
});

interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  /** Rows it answered or changed. */
  rows: number;
}

/** Calls a tool as dispatch would, in a transaction of its own, and answers the statements it used. */
async function statementsOf(house: TestHouse, name: string, args: unknown): Promise<Statement[]> {
  const tool = catalog.find((one) => one.name === name);
  if (!tool) throw new Error(`there is no ${name}`);
  const statements: Statement[] = [];
  const input = tool.input.parse(args);
  const seen: unknown = await tool.observe?.(input, undefined);
  await house.house.store.transact(async (db) => {
    await tool.handle(input, workWith(house, watched(db, statements)), seen);
    return { value: undefined, entries: [] };
  });
  return statements;
}

const workWith = (house: TestHouse, db: Db): Work => ({
  db,
  caller: house.owner,
  now: house.clock.now(),
  place: "here",
  connection: { key: null, appears: () => undefined, isElsewhere: () => false },
  signal: new AbortController().signal,
  newId: (kind) => `${kind}_${Math.random()}` as never,
  randomBytes: (count) => house.clock.randomBytes(count),
  record: () => undefined,
  after: () => undefined,
  progress: () => undefined,
  actsAs: () => undefined,
});

function watched(db: Db, statements: Statement[]): Db {
  const note = <T>(query: Query<T>): Statement => {
    const { sql, parameters } = query.compile();
    const statement = { sql, parameters, rows: 0 };
    statements.push(statement);
    return statement;
  };
  return {
    dialect: db.dialect,
    recordedBefore: db.recordedBefore,
    q: db.q,
    async all(query) {
      const statement = note(query);
      const rows = await db.all(query);
      statement.rows = rows.length;
      return rows;
    },
    async first(query) {
      note(query).rows = 1;
      return db.first(query);
    },
    async run(query) {
      const statement = note(query);
      statement.rows = await db.run(query);
      return statement.rows;
    },
    async save(query) {
      note(query).rows = 1;
      await db.save(query);
    },
    sql: (text, parameters) => db.sql(text, parameters),
  };
}

/** How SQLite would find the rows of each statement, an `insert` apart. */
async function plansOf(house: TestHouse, statements: readonly Statement[]): Promise<string[]> {
  const plans: string[] = [];
  for (const { sql, parameters } of statements.filter((one) => !one.sql.startsWith("insert"))) {
    const rows = await house.house.store.read((db) =>
      db.sql<{ detail: string }>(`explain query plan ${sql}`, parameters),
    );
    plans.push(...rows.map((row) => row.detail));
  }
  return plans;
}

const isScan = (plan: string): boolean => /^SCAN (task|workflow|dependency|note|agent|worktree)\b/.test(plan);

/** In the order of the index, so that nothing is sorted and only what is listed is read. */
const byReadiness = "SEARCH task USING INDEX taskByReadiness (workflowId=? AND status=? AND waitingOn=?)";

forEachStore("a workflow of 10,000 tasks", (open, kind) => {
  test("[WF29, WF12] works, and no call uses more statements for it than for a small one", async () => {
    const house = await open();
    const id = await newWorkflow(house, { max_parallel_tasks: 10 });
    const planning = { id, plan: planOf(tasks) };

    const setting = await statementsOf(house, "workflow_set_plan", planning);
    expect(setting.length).toBeLessThanOrEqual(2 + size / 500 + (3 * size) / 5_000 + 1);

    const task = await taskIds(house, id);
    const reads: [string, object][] = [
      ["workflow_next_tasks", { workflow_id: id }],
      ["workflow_progress", { workflow_id: id }],
      ["workflow_get_summary", { id }],
      ["task_load_context", { task_id: task("task 9999") }],
      ["task_check_dependencies", { task_id: task("task 9999") }],
      ["task_get_available", { workflow_id: id, agent_id: await house.agent("Ada") }],
    ];
    const changes: [string, object][] = [
      ["task_update_status", { id: task("task 0"), status: "planning" }],
      ["task_update_status", { id: task("task 0"), status: "completed", outcome: "Done." }],
      ["task_claim", { task_id: task("task 1"), agent_id: await house.agent("Bob") }],
    ];
    for (const [tool, args] of [...reads, ...changes]) {
      const statements = await statementsOf(house, tool, args);
      expect(statements.length, tool).toBeLessThanOrEqual(20);
      const rows = statements.reduce((sum, statement) => sum + statement.rows, 0);
      expect(rows, tool).toBeLessThanOrEqual(1_000);
      if (kind === "postgres") continue;
      const plans = await plansOf(house, statements);
      expect(plans.filter(isScan), tool).toEqual([]);
      if (tool === "workflow_next_tasks") {
        const ready = statements.filter(({ sql }) => sql.includes('"takenBy" is null'));
        expect(ready.length).toBe(2);
        expect(await plansOf(house, ready)).toEqual(Array(2).fill(byReadiness));
      }
    }
  });

  test("[WF29] answers stay right and small while it is worked through", async () => {
    const house = await open();
    const id = await newWorkflow(house, { max_parallel_tasks: 10 });
    expect(await house.call("workflow_set_plan", { id, plan: planOf(tasks) })).toEqual({
      workflow_id: id,
      tasks_created: size,
      parallelizable_groups: 100,
      status: "ready",
    });
    const task = await taskIds(house, id);
    for (let at = 0; at < 100; at += 1) await bring(house, task(`task ${at}`), "completed");
    const next = await house.call<{ tasks: { name: string }[] }>("workflow_next_tasks", { workflow_id: id });
    expect(next.tasks.length).toBe(100);
    expect(next).toMatchObject({ recommended_count: 10, all_complete: false });
    expect(JSON.stringify(next).length).toBeLessThan(500_000);
    expect(await house.call("workflow_progress", { workflow_id: id })).toMatchObject({
      total_tasks: size,
      by_status: { completed: 100, pending: 100, blocked: size - 200 },
      completed_sequence: 1,
      current_sequence: 2,
      estimated_remaining: size - 100,
    });
  });
});

test("[WF29] the watch on statements would see a table that is read from end to end", async () => {
  const house = await openTestHouse("sqlite");
  const plans = await plansOf(house, [{ sql: "select * from task", parameters: [], rows: 0 }]);
  expect(plans.filter(isScan)).toEqual(["SCAN task"]);
});
