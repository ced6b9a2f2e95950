import { expect, test } from "vitest";
import { boardColumns, boardLanes, columnNames, columnOf, laneNames, laneOf } from "../../src/contract/board.ts";
import { lifecycle } from "../../src/contract/lifecycle.ts";
import { toolNamed } from "./parts.ts";

test("[CT60] every state of the lifecycle has one column, which lists it", () => {
  const columns = Object.fromEntries(lifecycle.map((status) => [status, columnOf(status, false)]));
  expect(columns).toEqual({
    planned: "planned",
    preparing: "active",
    active: "active",
    paused: "active",
    blocked: "blocked",
    done: "done",
    failed: "failed",
    cancelled: "cancelled",
  });
  for (const status of lifecycle) expect(boardColumns[columnOf(status, false)]).toContain(status);
});

test("[CT60] what is planned and waits for others is blocked, and nothing else changes its column by waiting", () => {
  expect(lifecycle.filter((status) => columnOf(status, true) !== columnOf(status, false))).toEqual(["planned"]);
  expect(columnOf("planned", true)).toBe("blocked");
  expect(boardColumns.blocked).toContain("planned");
});

test("[CT60] every column is in one lane, and one that is not known is shown where work begins", () => {
  expect(Object.values(boardLanes).flat().sort()).toEqual([...columnNames].sort());
  for (const lane of laneNames) for (const column of boardLanes[lane]) expect(laneOf(column)).toBe(lane);
  expect(laneOf("of a later server")).toBe("planned");
});

test("[CT60] the server lists tasks by these columns", () => {
  const { input } = toolNamed("task_list");
  expect(columnNames.filter((column) => !input.safeParse({ column }).success)).toEqual([]);
  expect(input.safeParse({ column: "somewhere" }).success).toBe(false);
});
