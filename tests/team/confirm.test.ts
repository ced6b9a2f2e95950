import { expect, test } from "vitest";
import { forEachStillStore, momentAt, traceOf } from "../domain/still-house.ts";
import { type Answer, candidateIds, judgeAll, newWorker, type Worker, wording, workerOf } from "./work-scene.ts";

const minute = 60_000;
const reason = "Both are wanted: one is the fallback.";
const codeOf = (answer: Answer) => answer.data["code"];

/** What check_confirm answers, in the name of this developer. */
const confirm = (worker: Worker, check_id: unknown, more: object = {}) =>
  worker.house.call<Record<string, unknown>>("check_confirm", { check_id, reason, ...more }, worker.caller);
const refusalOf = (worker: Worker, check_id: unknown, more: object = {}) =>
  worker.house.refusal("check_confirm", { check_id, reason, ...more }, worker.caller);

forEachStillStore("check_confirm", (open) => {
  test("[DT7] lets the waiting start pass without asking again, and its reason is kept", async () => {
    const house = await open();
    await workerOf(house).begin(wording);
    const bob = await newWorker(house, "bob");
    const checked = await bob.check(wording);
    const { check_id, warning_id } = checked.data;
    expect(codeOf(await bob.start(wording, { check_id }))).toBe("VERDICT_REQUIRED");
    const { work } = await traceOf(house, async () => {
      expect(await confirm(bob, check_id)).toEqual({
        check_id,
        reason,
        confirmed_at: momentAt(0),
        expires_at: momentAt(10 * minute),
      });
    });
    expect(work).toEqual([
      {
        kind: "scope.confirmed",
        announced: "scope.confirmed",
        subject: check_id,
        channels: [`scope:${check_id}`],
        data: { title: wording, reason, verdicts: [] },
        developerId: bob.caller.developerId,
      },
    ]);
    const started = await bob.start(wording, { check_id });
    expect(started).toMatchObject({ status: "ok", data: { check_id, warning_id, warning_status: "confirmed" } });
    const entries = await house.entries();
    expect(entries.find(({ kind }) => kind === "warning.confirmed")?.data).toMatchObject({ reason });
  });

  test("[DT7] keeps the person's verdicts with the start", async () => {
    const house = await open();
    await workerOf(house).begin(wording);
    const bob = await newWorker(house, "bob");
    const checked = await bob.check(wording);
    const [candidate_id] = candidateIds(checked);
    const { check_id } = checked.data;
    await confirm(bob, check_id, { verdicts: [{ candidate_id, verdict: "same_scope" }] });
    expect((await bob.start(wording)).status).toBe("ok");
    const judged = (await house.entries()).find(({ kind }) => kind === "scope.judged");
    expect(judged?.data).toEqual({
      check_id,
      duplicate: true,
      verdicts: [{ candidate_id, verdict: "same_scope" }],
      confirmation_reason: reason,
    });
    const comparison = await house.call("overlap_get", { id: check_id });
    expect(comparison["verdicts"]).toEqual([
      { candidate_id, check_id, developer: "bob", verdict: "same_scope", reason, judged_at: momentAt(0) },
    ]);
  });

  test("[DT7] stands for the confirmation_reason of an agent that judges it to be the same", async () => {
    const house = await open();
    await workerOf(house).begin(wording);
    const bob = await newWorker(house, "bob");
    const checked = await bob.check(wording);
    expect(codeOf(await bob.start(wording, judgeAll(checked, "same_scope")))).toBe("DUPLICATE_CONFIRMATION_REQUIRED");
    await confirm(bob, checked.data["check_id"]);
    expect((await bob.start(wording, judgeAll(checked, "same_scope"))).status).toBe("ok");
  });

  test("[DT8] needs a reason, verdicts about every candidate or none, and a check of one's own: INVALID_REQUEST, INVALID_INPUT, FORBIDDEN, NOT_FOUND", async () => {
    const house = await open();
    const ada = workerOf(house);
    await ada.begin(wording);
    const bob = await newWorker(house, "bob");
    const checked = await bob.check(wording);
    const { check_id } = checked.data;
    expect(await house.refusal("check_confirm", { check_id }, bob.caller)).toBe("INVALID_REQUEST");
    expect(await refusalOf(bob, check_id, { reason: "           " })).toBe("INVALID_REQUEST");
    expect(await refusalOf(bob, check_id, { reason: "Too short" })).toBe("INVALID_REQUEST");
    const elsewhere = { verdicts: [{ candidate_id: "tk_0", verdict: "partial" }] };
    expect(await refusalOf(bob, check_id, elsewhere)).toBe("INVALID_INPUT");
    expect(await refusalOf(ada, check_id)).toBe("FORBIDDEN");
    expect(await refusalOf(bob, "chk_0")).toBe("NOT_FOUND");
    expect(codeOf(await bob.start(wording, { check_id }))).toBe("VERDICT_REQUIRED");
  });

  test("[DT8] check_confirm is refused for a check that waits for nothing: INVALID_STATE", async () => {
    const house = await open();
    const ada = workerOf(house);
    const clean = await ada.check(wording);
    expect(await refusalOf(ada, clean.data["check_id"])).toBe("INVALID_STATE");
    await ada.start(wording);
    const bob = await newWorker(house, "bob");
    const checked = await bob.check(wording);
    await bob.start(wording, judgeAll(checked));
    expect(await refusalOf(bob, checked.data["check_id"])).toBe("INVALID_STATE");
  });

  test("[DT9] does not cover what came up after the check", async () => {
    const house = await open();
    await workerOf(house).begin(wording);
    const [bob, carol] = [await newWorker(house, "bob"), await newWorker(house, "carol")];
    const { check_id } = (await bob.check(wording)).data;
    await confirm(bob, check_id);
    const hers = await carol.check(wording);
    const newer = String((await carol.start(wording, judgeAll(hers))).data["task_id"]);
    const blocked = await bob.start(wording, { check_id });
    expect(codeOf(blocked)).toBe("VERDICT_REQUIRED");
    expect(candidateIds(blocked)).toEqual([newer]);
    expect((await bob.start(wording, judgeAll(blocked))).status).toBe("ok");
  });

  test("[DT10] of a check that has run out counts for the next check of the same work, for a day", async () => {
    const house = await open();
    await workerOf(house).begin(wording);
    const bob = await newWorker(house, "bob");
    const { check_id } = (await bob.check(wording)).data;
    house.clock.advance(60 * minute);
    await confirm(bob, check_id);
    expect(codeOf(await bob.start(wording, { check_id }))).toBe("CHECK_REQUIRED");
    house.clock.advance(23 * 60 * minute);
    const again = await bob.check(wording);
    expect(again.data["requires_verdict"]).toBe(false);
    const started = await bob.start(wording, { check_id: again.data["check_id"] });
    expect(started.status).toBe("ok");
    expect((await house.entries()).find(({ kind }) => kind === "warning.confirmed")?.data).toMatchObject({ reason });
    expect((await bob.check(wording, { session_id: undefined })).data["requires_verdict"]).toBe(true);
  });

  test("[DT10] of an old check is refused once the work was checked again, and forgotten after a day: INVALID_STATE", async () => {
    const house = await open();
    await workerOf(house).begin(wording);
    const bob = await newWorker(house, "bob");
    const old = (await bob.check(wording)).data["check_id"];
    house.clock.advance(10 * minute);
    const newer = (await bob.check(wording)).data["check_id"];
    expect(await refusalOf(bob, old)).toBe("INVALID_STATE");
    await confirm(bob, newer);
    house.clock.advance(24 * 60 * minute);
    expect((await bob.check(wording)).data["requires_verdict"]).toBe(true);
  });

  test("[DT11] takes the start out of the inbox", async () => {
    const house = await open();
    await workerOf(house).begin(wording);
    const bob = await newWorker(house, "bob");
    const { check_id } = (await bob.check(wording)).data;
    const waiting = async () => (await house.call<{ items: { id: string }[] }>("inbox", {}, bob.caller)).items;
    expect(await waiting()).toMatchObject([
      { id: check_id, action: `crewdeck call check_confirm --check-id ${check_id} --reason TEXT` },
    ]);
    await confirm(bob, check_id);
    expect(await waiting()).toEqual([]);
  });
});
