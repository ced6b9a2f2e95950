import { expect, test } from "vitest";
import { forEachStillStore, momentAt } from "../domain/still-house.ts";
import { candidateIds, newWorker, type Worker, wording, workerOf } from "./work-scene.ts";

const minute = 60_000;

const listFor = async ({ house, caller }: Worker, ask: object = {}) =>
  (await house.call<{ items: Record<string, unknown>[] }>("overlap_list", { ...ask }, caller)).items;

const about = { scope: "The delivery worker", repo: "acme/hooks", branch: "retry", target_files: ["src/send.ts"] };

forEachStillStore("overlap_list and overlap_get", (open) => {
  test("[DT12] list the checks that wait and other open warnings, one's own or everybody's", async () => {
    const house = await open();
    const ada = workerOf(house);
    const begun = await ada.begin(wording);
    const bob = await newWorker(house, "bob");
    const { check_id, warning_id } = (await bob.check(wording)).data;
    const waiting = {
      id: check_id,
      check_id,
      warning_id,
      type: "task",
      title: wording,
      developer: "bob",
      mine: true,
      state: "waits",
      warning_status: "open",
      candidates: 1,
      score: expect.any(Number),
      like: wording,
      work_ids: [begun],
      created_at: momentAt(0),
      expires_at: momentAt(10 * minute),
    };
    expect(await listFor(bob)).toEqual([waiting]);
    expect(await listFor(ada)).toEqual([]);
    expect(await listFor(ada, { everyone: true })).toEqual([{ ...waiting, mine: false }]);
    house.clock.advance(10 * minute);
    expect(await listFor(bob)).toEqual([{ ...waiting, state: "expired" }]);
    await house.call("check_confirm", { check_id, reason: "Both of them are wanted." }, bob.caller);
    expect(await listFor(bob)).toEqual([{ ...waiting, state: "confirmed" }]);
    const planned = await bob.plan(wording);
    expect(await listFor(bob)).toMatchObject([
      { id: planned.data["warning_id"], check_id: null, state: "waits", warning_status: "open" },
      { id: check_id },
    ]);
    const reason = "They are not the same.";
    for (const id of [warning_id, planned.data["warning_id"]]) {
      await bob.call("covibe_warning", { operation: "dismiss", warning_id: id, reason });
    }
    expect(await listFor(bob)).toEqual([]);
  });

  test("[DT12] name the agents of both sides", async () => {
    const house = await open();
    const ada = await workerOf(house).inSession();
    await ada.begin(wording, about);
    const bob = await (await newWorker(house, "bob")).inSession();
    const checked = await bob.check(wording, about);
    expect(await house.call("overlap_get", { id: checked.data["check_id"] }, bob.caller)).toMatchObject({
      work: { agent_id: bob.session },
      others: [{ agent_id: ada.session }],
    });
  });

  test("[DT12] show both sides, why they are alike and what was said: NOT_FOUND", async () => {
    const house = await open();
    const ada = workerOf(house);
    const taskId = await ada.begin(wording, { ...about, action: "create", component: "api" });
    const bob = await newWorker(house, "bob");
    const checked = await bob.check(wording, { ...about, description: "Wait longer each time.", branch: "wait" });
    const { check_id, warning_id } = checked.data;
    expect(candidateIds(checked)).toEqual([taskId]);
    const comparison = await house.call("overlap_get", { id: check_id }, bob.caller);
    expect(comparison).toMatchObject({
      id: check_id,
      warning_id,
      state: "waits",
      mine: true,
      warning_reason: null,
      confirmation: null,
      verdicts: [],
    });
    expect(comparison["work"]).toEqual({
      id: null,
      type: "task",
      title: wording,
      owner: "bob",
      agent_id: null,
      status: "checked",
      scope: "The delivery worker",
      description: "Wait longer each time.",
      action: null,
      component: null,
      repo: "acme/hooks",
      branch: "wait",
      target_files: ["src/send.ts"],
    });
    expect(comparison["others"]).toEqual([
      {
        id: taskId,
        type: "task",
        title: wording,
        owner: "ada",
        agent_id: null,
        status: "active",
        scope: "The delivery worker",
        description: "",
        action: "create",
        component: "api",
        repo: "acme/hooks",
        branch: "retry",
        target_files: ["src/send.ts"],
        score: expect.any(Number),
        reasons: expect.arrayContaining(["Same title"]),
        suppressed_by: null,
        needs_verdict: true,
        shared_files: ["src/send.ts"],
        same_developer: false,
      },
    ]);
    expect(await house.call("overlap_get", { id: warning_id }, bob.caller)).toEqual(comparison);
    expect(await house.refusal("overlap_get", { id: "chk_0" }, bob.caller)).toBe("NOT_FOUND");
  });

  test("[DT12] say why something is only shown, and tell of plans too", async () => {
    const house = await open();
    const ada = workerOf(house);
    await ada.begin(wording, { action: "create" });
    const bob = await newWorker(house, "bob");
    const checked = await bob.check(wording, { action: "remove" });
    const { state, others } = await house.call<{ state: string; others: object[] }>(
      "overlap_get",
      { id: checked.data["check_id"] },
      bob.caller,
    );
    expect({ state, others }).toMatchObject({
      state: "noted",
      others: [{ suppressed_by: "opposed_action", needs_verdict: false }],
    });
    const planned = await bob.plan(wording, { scope: "Only the webhooks" });
    const comparison = await house.call("overlap_get", { id: planned.data["warning_id"] }, bob.caller);
    expect(comparison).toMatchObject({
      check_id: null,
      work: { id: planned.data["task_id"], status: "planned", scope: "Only the webhooks" },
    });
  });

  test("[DT13] show nothing of private people's work, and do not know their checks: NOT_FOUND", async () => {
    const house = await open();
    const ada = workerOf(house);
    const quinn = await newWorker(house, "quinn", { private: true });
    await quinn.begin(wording, { ...about, description: "Secret plans." });
    const { check_id } = (await ada.check(wording, about)).data;
    const shown = await house.call<{ others: Record<string, unknown>[] }>("overlap_get", { id: check_id });
    expect(shown.others).toMatchObject([
      {
        title: "@private",
        owner: "@private",
        scope: null,
        repo: null,
        branch: null,
        target_files: [],
        shared_files: ["src/send.ts"],
      },
    ]);
    const bob = await newWorker(house, "bob");
    const asBob = await house.call("overlap_get", { id: check_id }, bob.caller);
    expect(asBob).toMatchObject({ others: [{ title: "@private", target_files: [], shared_files: [] }] });
    expect(JSON.stringify(shown.others)).not.toMatch(/quinn|Secret|webhook|acme/);
    expect(await listFor(ada)).toMatchObject([{ like: "@private" }]);
    const hers = (await quinn.check("Translate the ferry timetable into Finnish")).data["check_id"];
    await ada.begin("Translate the ferry timetable into Finnish");
    const waiting = (await quinn.check("Translate the ferry timetable into Finnish")).data["check_id"];
    for (const id of [hers, waiting]) expect(await house.refusal("overlap_get", { id })).toBe("NOT_FOUND");
    expect(await listFor(ada, { everyone: true })).toMatchObject([{ id: check_id }]);
    expect(await listFor(quinn)).toMatchObject([{ id: waiting, title: "Translate the ferry timetable into Finnish" }]);
  });
});
