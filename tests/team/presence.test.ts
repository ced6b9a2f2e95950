import { expect, test } from "vitest";
import { forEachStore, type TestHouse } from "../../src/testing/house.ts";
import { newWorker, type Worker, workerOf } from "./work-scene.ts";

const minute = 60_000;
const day = 24 * 60 * minute;
const repo = "acme/shop";
const files = ["src/target.ts", "src/dirty.ts", "src/unpushed.ts", "src/claimed/a.ts", "src/unnamed.ts"];

type Told = readonly { readonly source: string; readonly owner: string; readonly files: readonly string[] }[];

/** What each tool that can be asked says of the files, and by whom. */
async function everyAnswer(house: TestHouse, who: Worker): Promise<Record<string, string[]>> {
  const asker = await who.inSession();
  const call = async (tool: string, operation: string, args: Record<string, unknown>) =>
    (await asker.call(tool, { operation, repo, ...args })).data;
  const check = await call("covibe_task", "check", {
    title: "Polish the door handles",
    task_type: "chore",
    target_files: files,
  });
  const asked = await call("covibe_coordination", "check_conflicts", { paths: ["src/**"] });
  const snapshot = await call("covibe_session", "snapshot", { dirty_files: files });
  await house.call("covibe_session", { operation: "end", session_id: asker.session }, asker.caller);
  const claims = (asked["conflicts"] as { holder: string }[]).map(({ holder }) => `claim ${holder}`);
  const overlaps = snapshot["overlap_warnings"] as { states: string[]; owner: string }[];
  return {
    check: say(check["file_conflicts"] as Told),
    check_conflicts: [...claims, ...say(asked["file_conflicts"] as Told)].sort(),
    snapshot: overlaps.flatMap(({ states, owner }) => states.map((source) => `${source} ${owner}`)).sort(),
  };
}

const say = (told: Told): string[] => told.map(({ source, owner }) => `${source} ${owner}`).sort();

/** A snapshot is not asked about claims. */
const alike = (...told: string[]) => ({
  check: told,
  check_conflicts: told,
  snapshot: told.filter((line) => !line.startsWith("claim")),
});

forEachStore("who else is at these files", (open) => {
  test("[CC22] to check_conflicts, what a developer does in another session is somebody else's work", async () => {
    const house = await open();
    const ada = await workerOf(house).inSession();
    await ada.begin("Paint the boat shed", { repo, target_files: ["src/target.ts"] });
    const ask = { operation: "check_conflicts", repo, paths: ["src/target.ts"] };
    const seenBy = async (worker: Worker) =>
      say((await worker.call("covibe_coordination", ask)).data["file_conflicts"] as Told);
    expect(await seenBy(ada)).toEqual([]);
    expect(await seenBy(await workerOf(house).inSession())).toEqual(["target ada"]);
  });

  test("[CC22, CC23] every tool answers by the same rule, at every moment", async () => {
    const house = await open();
    const bob = await newWorker(house, "bob");
    const ada = await workerOf(house).inSession();
    const target = await ada.begin("Paint the boat shed", { repo, target_files: ["src/target.ts"] });
    const unnamed = await workerOf(house).begin("Count the oars", { target_files: ["src/unnamed.ts"] });
    await ada.call("covibe_session", {
      operation: "snapshot",
      repo,
      dirty_files: ["src/dirty.ts"],
      unpushed_files: ["src/unpushed.ts"],
    });
    const lease = { operation: "claim", repo, paths: ["src/claimed/**"], ttl_minutes: 1_440 };
    await ada.call("covibe_coordination", lease);
    const targets = ["target ada", "target ada"];

    expect(await everyAnswer(house, bob)).toEqual(alike("claim ada", "dirty ada", ...targets, "unpushed ada"));
    house.clock.advance(31 * minute);
    // The session is silent: it holds nothing any more, but its files are as changed as before.
    expect(await everyAnswer(house, bob)).toEqual(alike("dirty ada", ...targets, "unpushed ada"));
    house.clock.advance(day - 32 * minute);
    expect(await everyAnswer(house, bob)).toEqual(alike("dirty ada", ...targets, "unpushed ada"));
    house.clock.advance(2 * minute);
    expect(await everyAnswer(house, bob)).toEqual(alike(...targets));
    await ada.call("covibe_session", { operation: "snapshot", repo, dirty_files: ["src/dirty.ts"] });
    expect(await everyAnswer(house, bob)).toEqual(alike("dirty ada", ...targets));
    await ada.call("covibe_session", { operation: "end" });
    for (const id of [target, unnamed]) {
      await workerOf(house).task("complete", { task_id: id, result_summary: "Done." });
    }
    expect(await everyAnswer(house, bob)).toEqual(alike());
  });

  test("[CC24] a task that is in somebody's hands is theirs, whoever planned it", async () => {
    const house = await open();
    const [bob, cy] = [await newWorker(house, "bob"), await newWorker(house, "cy")];
    const task = await bob.begin("Paint the boat shed", { repo, target_files: ["src/target.ts"] });
    const agent = await house.agent("Painter", cy.caller);
    await house.call("task_claim", { task_id: task, agent_id: agent }, cy.caller);
    expect(await everyAnswer(house, workerOf(house))).toEqual(alike("target cy"));
    expect((await everyAnswer(house, cy))["snapshot"]).toEqual([]);
    expect((await everyAnswer(house, bob))["snapshot"]).toEqual(["target cy"]);
  });
});
