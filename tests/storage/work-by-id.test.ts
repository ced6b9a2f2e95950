import { expect, test } from "vitest";
import { TaskId, WorkflowId } from "../../src/contract/ids.ts";
import { readDocs } from "../../src/domain/overlap/doc-operations.ts";
import { openTestHouse } from "../../src/testing/house.ts";
import { plansOf } from "./query-plans.ts";

test.each([
  1, 3, 20, 200,
])("[ST55] %i pieces of work are looked up by their ids, not sought among all", async (count) => {
  const house = await openTestHouse("sqlite");
  const ids = Array.from({ length: count }, (_, place) => [
    TaskId.parse(`tk_${place}`),
    WorkflowId.parse(`wf_${place}`),
  ]).flat();
  const plans = await plansOf(house, (db) => readDocs(db, ids));
  expect(plans).toEqual([
    expect.stringMatching(/^SEARCH task USING INDEX sqlite_autoindex_task_1 \(id=\?\)/),
    expect.stringMatching(/^SEARCH workflow USING INDEX sqlite_autoindex_workflow_1 \(id=\?\)/),
  ]);
});
