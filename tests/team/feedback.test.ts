import { expect, test } from "vitest";
import { forEachStillStore, momentAt } from "../domain/still-house.ts";
import { begin, info } from "./session-scene.ts";
import { ask, halfAnHour } from "./state-scene.ts";

interface Told {
  readonly feedback: readonly { type: string; subject: string; code: string | null; created_at: string }[];
}

const claim = { operation: "claim", repo: "shop", paths: ["src/login/**"] };

forEachStillStore("feedback", (open) => {
  test("[TS10] nobody was told anything yet", async () => {
    expect(await ask(await open(), "feedback")).toEqual({
      status: "ok",
      message: "No feedback is stored.",
      feedback: info(null),
      data: { feedback: [] },
    });
  });

  test("[TS10] what was told is read back newest first, of one type if asked for, and only one's own", async () => {
    const house = await open();
    const { caller: grace } = await house.developer("grace");
    const session = await begin(house);
    house.clock.advance(halfAnHour + 1);
    await ask(house, "state");
    await house.call("covibe_coordination", claim, grace);
    house.clock.advance(1_000);
    await house.call("covibe_coordination", claim);
    const [blocked, warned] = (await ask<Told>(house, "feedback")).data.feedback;
    expect(blocked).toEqual({
      type: "block",
      message: "Somebody else holds some of this code; nothing was claimed.",
      required_action: expect.stringContaining("covibe_coordination ask"),
      code: "CLAIM_CONFLICT",
      subject: house.owner.developerId,
      created_at: momentAt(halfAnHour + 1_001),
    });
    expect(warned).toMatchObject({ type: "warning", subject: session, code: null });
    for (const [feedback_type, expected] of [
      ["block", [blocked]],
      ["warning", [warned]],
      ["error", []],
      ["info", []],
    ] as const) {
      expect((await ask<Told>(house, "feedback", { feedback_type })).data.feedback).toEqual(expected);
    }
    expect((await ask<Told>(house, "feedback", { limit: 1 })).data.feedback).toEqual([blocked]);
    expect((await ask<Told>(house, "feedback", {}, grace)).data.feedback).toEqual([]);
  });

  test("[TS11] what the last call told is there at once, however many calls follow each other", async () => {
    const house = await open();
    const session = await begin(house);
    house.clock.advance(halfAnHour + 1);
    for (let count = 1; count <= 20; count += 1) {
      house.clock.advance(1);
      await ask(house, "state");
      const { feedback } = (await ask<Told>(house, "feedback", { limit: 100 })).data;
      expect(feedback.map(({ created_at }) => created_at)).toEqual(
        Array.from({ length: count }, (_, at) => momentAt(halfAnHour + 1 + count - at)),
      );
      expect(new Set(feedback.map(({ subject }) => subject))).toEqual(new Set([session]));
    }
  });

  test.each([0, 101, 1.5, "ten"])("[TS10] a limit of %s is refused", async (limit) => {
    expect(await (await open()).refusal("covibe_team", { operation: "feedback", limit })).toBe("INVALID_REQUEST");
  });
});
