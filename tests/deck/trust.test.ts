import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { makeRepository } from "../git/scratch.ts";
import { configure, script } from "../mission/checks.ts";
import { serveDeck } from "./kit.ts";

const house = serveDeck();

/** Three results that differ in what they rest on; the last one went wrong. */
async function finishThree(): Promise<Record<"verified" | "reproduced" | "wrong", string>> {
  const agent = await house.agent("Ada");
  const mission = { name: "The keys", objective: "Nobody loses a key." };
  const { mission_id } = await agent.call<{ mission_id: string }>("start_mission", mission);
  const finish = async (name: string, files: readonly string[], path: string, write: (file: string) => void) => {
    const { task_id } = await agent.call<{ task_id: string }>("start_task", {
      mission_id,
      name,
      goal: "It is done.",
      areas: ["src"],
      repository_path: path,
    });
    for (const file of files) write(file);
    await agent.call("complete_task", { task_id, status: "success", outcome: { summary: "Done." } });
    return task_id;
  };
  const plain = makeRepository({ "src/a.ts": "one\n" });
  const checked = makeRepository({ "src/a.ts": "one\n" });
  configure(checked.path, [script("passes", "process.exit(0)")]);
  checked.git("add", "-A");
  checked.git("commit", "-m", "checks");
  const { config_hash } = await house.call<{ config_hash: string }>("checks_show", { path: checked.path });
  await house.call("checks_allow", { path: checked.path, config_hash });
  const writeIn = (repository: typeof plain) => (file: string) => repository.write(file, "two\n");
  return {
    verified: await finish("Keep the keys", ["src/b.ts"], plain.path, writeIn(plain)),
    reproduced: await finish("Turn the keys", ["src/b.ts"], checked.path, writeIn(checked)),
    wrong: await finish("Lose the keys", ["src/c.ts", "docs/d.md", "notes.txt"], plain.path, writeIn(plain)),
  };
}

test("[DK52] what a result rests on, and what went wrong with it, is on the card, in the list, on the task and in the inbox", async () => {
  const ids = await finishThree();
  const expected = [
    { name: "Keep the keys", id: ids.verified, marks: ["Verified"] },
    { name: "Turn the keys", id: ids.reproduced, marks: ["Reproduced"] },
    { name: "Lose the keys", id: ids.wrong, marks: ["Self-reported", "2 out of scope"] },
  ];
  const board = await house.open("/deck/board");
  const list = await house.open("/deck/board?as=list");
  for (const { name, id, marks } of expected) {
    const card = board.page.getByRole("article").filter({ hasText: name });
    const row = list.page.locator(".board-row").filter({ hasText: name });
    const task = await house.open(`/deck/tasks/${id}`);
    const head = task.page.locator(".page-head").filter({ hasText: name }).first();
    for (const mark of marks) {
      for (const place of [card, row, head]) await place.getByText(mark, { exact: true }).waitFor();
    }
  }
  await board.expectAccessible("trust-board");
  await list.page.setViewportSize({ width: 360, height: 740 });
  const cell = list.page.locator(".board-row").filter({ hasText: "Lose the keys" }).locator(".board-row-trust");
  await cell.getByText("2 out of scope", { exact: true }).waitFor();
  expect(await cell.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
  await list.shot("trust-list-phone");
  const inbox = await house.open("/deck/inbox");
  const rows = inbox.page.locator(".inbox-row");
  await rows.filter({ hasText: "Lose the keys" }).getByText("2 out of scope", { exact: true }).waitFor();
  expect(await rows.filter({ hasText: "Keep the keys" }).count()).toBe(0);
  await inbox.page.setViewportSize({ width: 360, height: 740 });
  const mark = rows.filter({ hasText: "Lose the keys" }).getByText("2 out of scope", { exact: true });
  const right = async (what: Locator) => what.evaluate((element) => element.getBoundingClientRect().right);
  expect(await right(mark)).toBeLessThanOrEqual(await right(rows.first().locator(".inbox-text")));
  await inbox.shot("trust-inbox-phone");
  const task = await house.open(`/deck/tasks/${ids.wrong}`, { width: 360, height: 740 });
  await task.see("2 files out of scope");
  await task.expectNoSidewaysScroll();
  await task.shot("trust-task-phone");
});
