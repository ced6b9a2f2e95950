import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { forEachStillStore } from "../domain/still-house.ts";
import { GateModel } from "./gate-model.ts";
import { executed, met, type Real, steps } from "./gate-steps.ts";
import { newWorker, workerOf } from "./work-scene.ts";

/** Titles that no other run has; one house serves all runs. */
const newTitle = (): string => Array.from({ length: 4 }, newWord).join(" ");
const newWord = (): string => Array.from(randomBytes(9), (byte) => String.fromCharCode(97 + (byte % 26))).join("");

forEachStillStore("the protocol of checks and starts", (open, kind) => {
  test("[GA28] any sequence of calls is answered as a simple model says", async () => {
    const house = await open();
    const ada = workerOf(house);
    const [bob, carol] = [await newWorker(house, "bob"), await newWorker(house, "carol")];
    const workers = [await ada.inSession(), await ada.inSession(), bob, await carol.inSession()];
    let seen = 0;
    await fc.assert(
      fc.asyncProperty(steps, async (commands) => {
        const real: Real = { workers, titles: [newTitle(), newTitle()], seen };
        await fc.asyncModelRun(() => ({ model: new GateModel(), real }), commands);
        seen = real.seen;
      }),
      { numRuns: kind === "sqlite" ? 60 : 20, endOnFailure: true },
    );
    const endings = [...met].map(([name, times]) => `${name} ${times}`).sort();
    process.stdout.write(`gate model on ${kind}: ${executed} steps, ${endings.join(", ")}\n`);
    expect([...met.keys()]).toEqual(expect.arrayContaining(["started", "CHECK_REQUIRED", "VERDICT_REQUIRED"]));
  });
});
