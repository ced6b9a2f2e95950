import { expect, test } from "vitest";
import type { TestHouse } from "../../src/testing/house.ts";
import { forEachStillStore, traceOf } from "../domain/still-house.ts";
import { type Answer, alone, idOf, newWorker, wording, workerOf } from "./work-scene.ts";

const homeOf = (answer: Answer): string => idOf(answer, "workstream_id");

const statusOf = async (house: TestHouse, id: string) =>
  (await house.call<{ status: string }>("workflow_get", { id })).status;

forEachStillStore("the home of a task", (open) => {
  test("[TW18] is the workstream it names, if that is one's own and under way or blocked", async () => {
    const house = await open();
    const ada = workerOf(house);
    const workstream_id = await ada.beginStream("Winter season");
    await ada.check(alone);
    expect(homeOf(await ada.start(alone, { workstream_id }))).toBe(workstream_id);
    await ada.stream("update", { workstream_id, status: "blocked" });
    expect(homeOf(await ada.plan("Paint the lighthouse door red", { workstream_id }))).toBe(workstream_id);

    const plan = (more: object) => ({ operation: "plan", title: wording, task_type: "chore", ...more });
    const planned = idOf(await ada.stream("plan", { title: "Summer season" }), "workstream_id");
    expect(await ada.refusal("covibe_task", plan({ workstream_id: planned }))).toBe("INVALID_STATE");
    await ada.stream("complete", { workstream_id, result_summary: "Over.", confirm_open_tasks: true });
    expect(await ada.refusal("covibe_task", plan({ workstream_id }))).toBe("INVALID_STATE");
    const bob = await newWorker(house, "bob");
    const his = await bob.beginStream("Harbour lights");
    expect(await ada.refusal("covibe_task", plan({ workstream_id: his }))).toBe("FORBIDDEN");
    const { id } = await house.call<{ id: string }>("workflow_create", {
      name: "No workstream",
      source_type: "prompt",
      source_content: "Do it.",
    });
    expect(await ada.refusal("covibe_task", plan({ workstream_id: id }))).toBe("WORKFLOW_NOT_FOUND");
  });

  test("[TW19] is the most similar open workstream of its developer", async () => {
    const house = await open();
    const ada = workerOf(house);
    const bob = await newWorker(house, "bob");
    const stream = await ada.beginStream("Retry failed webhook deliveries", {
      scope: "Backoff for webhook deliveries",
    });
    await ada.beginStream("Translate timetables");
    expect(homeOf(await ada.plan("Retry webhook deliveries with backoff"))).toBe(stream);
    expect(homeOf(await bob.plan("Retry webhook deliveries with backoff"))).not.toBe(stream);
    const elsewhere = await ada.beginStream("Harbour lights at night", { repo: "acme/one" });
    expect(homeOf(await ada.plan("Harbour lights at night"))).toBe(elsewhere);
    expect(homeOf(await ada.plan("Harbour lights at night", { repo: "acme/two" }))).not.toBe(elsewhere);
  });

  test("[TW19] is made by the server where none is similar", async () => {
    const house = await open();
    const ada = workerOf(house);
    let answer: Answer | undefined;
    const { work } = await traceOf(house, async () => {
      answer = await ada.plan(alone, { scope: "Only the islands" });
    });
    const home = homeOf(answer as Answer);
    expect(work[1]).toMatchObject({ announced: "workstream.auto_created", subject: home });
    expect(await house.call("workflow_get", { id: home })).toMatchObject({
      name: alone,
      status: "in_progress",
      source_content: "Only the islands",
    });
    // A second task of the same kind joins the first one's.
    expect(homeOf(await ada.plan("Translate the ferry timetable into Finnish again"))).toBe(home);
  });

  test("[TW20] is closed with its last task, if the server made it", async () => {
    const house = await open();
    const ada = workerOf(house);
    const first = await ada.plan(alone);
    const second = await ada.plan("Translate the ferry timetable into Finnish again");
    const home = homeOf(first);
    expect(homeOf(second)).toBe(home);
    await ada.task("cancel", { task_id: idOf(first), reason: "Not wanted." });
    expect(await statusOf(house, home)).toBe("in_progress");
    const { work } = await traceOf(house, () => ada.task("cancel", { task_id: idOf(second), reason: "Not wanted." }));
    expect(work).toMatchObject([
      { announced: "task:updated" },
      { announced: "workstream.completed", subject: home, data: { open_task_ids: [], by_server: true } },
      { announced: "task.cancelled" },
    ]);
    expect(await statusOf(house, home)).toBe("completed");
  });

  test("[TW20] is closed too when another family's tool ends the task", async () => {
    const house = await open();
    const ada = workerOf(house);
    await ada.check(alone);
    const started = await ada.start(alone);
    const { work } = await traceOf(house, () =>
      house.call("task_update_status", { id: idOf(started), status: "completed", outcome: "Translated." }),
    );
    expect(work.map(({ announced }) => announced)).toEqual(["task:updated", "workstream.completed"]);
    expect(await statusOf(house, homeOf(started))).toBe("completed");
  });

  test.each(["task_update_status", "complete_task"])("[TW16] its files are let go when %s ends it", async (tool) => {
    const house = await open();
    const ada = workerOf(house);
    await ada.check(alone);
    const task_id = idOf(await ada.start(alone, { target_files: ["fi.json"] }));
    const claim = { operation: "claim", paths: ["fi/**"], repo: "acme/ferry", task_id };
    expect((await house.call<Answer>("covibe_coordination", claim)).data).toHaveProperty("claim_id");
    const ends: Record<string, object> = {
      task_update_status: { id: task_id, status: "completed", outcome: "Translated." },
      complete_task: { task_id, status: "success", outcome: { summary: "Translated." } },
    };
    await house.call(tool, { ...ends[tool] });
    const { data } = await house.call<Answer>("covibe_coordination", { operation: "summary" });
    expect(data["claims"]).toEqual([]);
    const marks = await house.house.store.read((db) => db.all(db.q.selectFrom("fileMark").selectAll()));
    expect(marks).toEqual([]);
  });

  test("[TW20] stays open where somebody made it on purpose", async () => {
    const house = await open();
    const ada = workerOf(house);
    const workstream_id = await ada.beginStream("Winter season");
    await ada.check(alone);
    const task_id = idOf(await ada.start(alone, { workstream_id }));
    await ada.task("complete", { task_id, result_summary: "Translated." });
    expect(await statusOf(house, workstream_id)).toBe("in_progress");
  });

  test("[TW21] is closed when its last tasks end at the same moment", async () => {
    const house = await open();
    const ada = workerOf(house);
    const workers = await Promise.all([ada.inSession(), ada.inSession(), ada.inSession()]);
    const titles = [alone, `${alone} again`, `${alone} once more`];
    const answers: Answer[] = [];
    for (const title of titles) answers.push(await ada.plan(title));
    const [home, ...others] = new Set(answers.map(homeOf));
    expect(others).toEqual([]);
    await Promise.all(
      workers.map((worker, at) =>
        worker.task("cancel", { task_id: idOf(answers[at] as Answer), reason: "All of it." }),
      ),
    );
    expect(await statusOf(house, String(home))).toBe("completed");
  });
});
