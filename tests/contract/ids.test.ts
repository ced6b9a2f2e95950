import { expect, test } from "vitest";
import { AgentId, idPrefixes, isIdOf, TaskId } from "../../src/contract/ids.ts";
import type { Db } from "../../src/storage/db.ts";
import type { TaskRow } from "../../src/storage/schema.ts";

const taskId = TaskId.parse("tk_1");
const agentId = AgentId.parse("ag_1");

test("[RE36] types refuse an id of another kind, from a row and in a query", () => {
  /** Never run: each expectation fails the type check as soon as what follows it is accepted. */
  const refused = (db: Db, row: TaskRow): unknown[] => {
    const tasks = db.q.selectFrom("task").select("id");
    return [
      // @ts-expect-error plain text is no id
      "tk_1" satisfies TaskId,
      // @ts-expect-error an agent is no task
      agentId satisfies TaskId,
      // @ts-expect-error a row's holder is an agent
      row.takenBy satisfies TaskId | null,
      // @ts-expect-error a row's status is one of the lifecycle's words
      row.status satisfies "done",
      // @ts-expect-error tasks are not found by an agent's id
      tasks.where("id", "=", agentId),
      // @ts-expect-error nor by a status that no task has
      tasks.where("status", "=", "finished"),
    ];
  };
  expect(refused).toBeTypeOf("function");
});

test("[RE36] an id is recognised by what it begins with, and only as its own kind", () => {
  const ids: string[] = [taskId, agentId, "tok_1", "tk1", ""];
  expect(ids.filter(isIdOf("task"))).toEqual([taskId]);
  expect(ids.filter(isIdOf("agent"))).toEqual([agentId]);
  expect(new Set(Object.values(idPrefixes)).size).toBe(Object.keys(idPrefixes).length);
});
