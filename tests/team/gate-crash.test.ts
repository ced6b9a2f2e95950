import { expect, test } from "vitest";
import { freshLocation, openTestHouse, type StoreKind } from "../../src/testing/house.ts";
import { startProgram } from "../crash/program.ts";
import { type Answer, alone, idOf, judgeAll, Worker, wording } from "./work-scene.ts";

const about = (title: string) => ({ title, task_type: "feature" });

test.each<StoreKind>([
  "sqlite",
  "postgres",
])("[GA27] on %s a check outlives a killed server, with what it asks for and what it allows", async (kind) => {
  const location = freshLocation(kind);
  const calls = [
    ["token_create", { label: "after the crash" }],
    ["covibe_task", { operation: "check", ...about(wording) }],
    ["covibe_task", { operation: "start", ...about(wording) }],
    ["covibe_task", { operation: "check", ...about(wording) }],
    ["covibe_task", { operation: "check", ...about(alone) }],
  ];
  const tools = ["person/person/token-create", "team/covibe-task"];
  const program = startProgram("caller", { location, tools, calls });
  const lines = await program.waitForLines(calls.length);
  await program.kill();
  const [{ token }, , started, escalated, clean] = lines as [{ token: string }, ...Answer[]];
  expect(escalated?.data["requires_verdict"]).toBe(true);

  const house = await openTestHouse(kind, { location });
  const ada = new Worker(house, await house.house.authenticator.identify(token));
  const blocked = await ada.start(wording);
  expect(blocked.data).toMatchObject({
    code: "VERDICT_REQUIRED",
    check_id: escalated?.data["check_id"],
    candidates: [{ id: idOf(started as Answer), same_developer: true }],
  });
  expect((await ada.start(wording, judgeAll(blocked))).status).toBe("ok");
  expect((await ada.start(alone, { check_id: clean?.data["check_id"] })).status).toBe("ok");
  expect((await ada.start(alone)).data).toEqual({ code: "CHECK_REQUIRED" });
});
