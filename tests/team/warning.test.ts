import { expect, test } from "vitest";
import { forEachStillStore, traceOf } from "../domain/still-house.ts";
import { type Answer, judgeAll, newWorker, wording, workerOf } from "./work-scene.ts";

forEachStillStore("covibe_warning", (open) => {
  test("[GA30, GA31] is dismissed with a reason, once", async () => {
    const house = await open();
    await workerOf(house).begin(wording);
    const bob = await newWorker(house, "bob");
    const { warning_id } = (await bob.check(wording)).data;
    const dismiss = { operation: "dismiss", warning_id, reason: "They work on another page." };
    const { work } = await traceOf(house, async () => {
      expect(await bob.call("covibe_warning", dismiss)).toEqual({
        status: "ok",
        message: "The warning is put aside.",
        feedback: {
          type: "info",
          required_action:
            "Go on: call covibe_task with operation check, or start with the check_id and the verdict it asks for.",
        },
        data: { warning_id, status: "dismissed", reason: "They work on another page." },
      });
      expect(await bob.call("covibe_warning", { ...dismiss, reason: "Again." })).toMatchObject({
        status: "warning",
        data: { code: "ALREADY_DISMISSED", reason: "They work on another page." },
      });
    });
    expect(work).toEqual([
      {
        kind: "warning.dismissed",
        announced: "warning.dismissed",
        subject: warning_id,
        channels: [`warning:${warning_id}`],
        data: { reason: "They work on another page.", by_server: false },
        developerId: bob.caller.developerId,
      },
    ]);
  });

  test("[GA30] is dismissed by the one whose check it came from only: FORBIDDEN, NOT_FOUND, SESSION_NOT_FOUND", async () => {
    const house = await open();
    const ada = workerOf(house);
    await ada.begin(wording);
    const bob = await newWorker(house, "bob");
    const { warning_id } = (await bob.check(wording)).data;
    const dismiss = { operation: "dismiss", warning_id, reason: "Never mind." };
    expect(await ada.refusal("covibe_warning", dismiss)).toBe("FORBIDDEN");
    expect(await bob.refusal("covibe_warning", { ...dismiss, warning_id: "warn_0" })).toBe("NOT_FOUND");
    expect(await bob.refusal("covibe_warning", { ...dismiss, session_id: "ag_0" })).toBe("SESSION_NOT_FOUND");
    expect(await bob.refusal("covibe_warning", { ...dismiss, reason: "  " })).toBe("INVALID_REQUEST");
  });

  test("[GA31] is not dismissed once it was judged or confirmed: INVALID_STATE", async () => {
    const house = await open();
    await workerOf(house).begin(wording);
    const [bob, carol] = [await newWorker(house, "bob"), await newWorker(house, "carol")];
    const judged = await bob.check(wording);
    await bob.start(wording, judgeAll(judged));
    const confirmed = await carol.check(wording);
    const { warning_id } = confirmed.data;
    await carol.start(wording, { warning_id, confirmation_reason: "All three are wanted." });
    for (const [worker, { data }] of [[bob, judged] as const, [carol, confirmed] as const]) {
      const dismiss = { operation: "dismiss", warning_id: data["warning_id"], reason: "Never mind." };
      expect(await worker.refusal("covibe_warning", dismiss)).toBe("INVALID_STATE");
    }
  });

  test("[GA32] does not open the gate by being dismissed", async () => {
    const house = await open();
    await workerOf(house).begin(wording);
    const bob = await newWorker(house, "bob");
    const checked: Answer = await bob.check(wording);
    const { warning_id } = checked.data;
    await bob.call("covibe_warning", { operation: "dismiss", warning_id, reason: "Never mind." });
    expect((await bob.start(wording)).data["code"]).toBe("VERDICT_REQUIRED");
    expect((await bob.start(wording, judgeAll(checked))).status).toBe("ok");
  });
});
