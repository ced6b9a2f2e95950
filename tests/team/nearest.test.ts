import { expect, test } from "vitest";
import type { Look } from "../../src/domain/port.ts";
import { openTestHouse } from "../../src/testing/house.ts";
import { everyTool } from "../contract/parts.ts";
import { forEachStillStore, traceOf } from "../domain/still-house.ts";
import { type Answer, alone, newWorker, type Worker, wording, workerOf } from "./work-scene.ts";

type Shown = Record<string, unknown>;

const nearestOf = ({ data }: Answer): Shown[] => data["nearest"] as Shown[];
const matchesOf = ({ data }: Answer): Shown[] => data["matches"] as Shown[];
const listed = (answer: Answer): string[] => [...matchesOf(answer), ...nearestOf(answer)].map(({ id }) => String(id));

const subjects = ["ferry", "museum", "orchard", "lighthouse", "canal", "bakery", "tram", "harbour"];
const verbs = ["Paint", "Photograph"];

/** Sixteen pieces of work with next to nothing in common. */
async function openMany(worker: Worker, repo: string): Promise<string[]> {
  const ids: string[] = [];
  for (const verb of verbs) {
    for (const subject of subjects) ids.push(await worker.begin(`${verb} ${subject}`, { repo }));
  }
  return ids;
}

forEachStillStore("the nearest work", (open, kind) => {
  test("[GA39, GA41] is shown without a score, and nothing is made of it", async () => {
    const house = await open();
    const ada = await workerOf(house).inSession();
    const known = await ada.begin("Throttle requests on the public API", { repo: "acme/shop" });
    const bob = await newWorker(house, "bob");
    let answer: Answer | undefined;
    const { work } = await traceOf(house, async () => {
      answer = await bob.check("Add rate limiting", { repo: "acme/shop" });
    });
    if (!answer) throw new Error("no answer");
    expect(answer).toMatchObject({
      status: "ok",
      message: "No close match. Review the one other task in nearest.",
      feedback: { type: "info", required_action: expect.stringMatching(/^Read nearest: /) },
      data: { requires_verdict: false, warning_id: null, candidates: [], matches: [] },
    });
    expect(nearestOf(answer)).toEqual([
      {
        id: known,
        type: "task",
        title: "Throttle requests on the public API",
        owner: "ada",
        agent: "Test",
        status: "active",
        same_developer: false,
        tier: "context",
        reason: "Open work in this repository",
      },
    ]);
    expect(await house.entries("feedback")).toEqual([]);
    expect(work).toMatchObject([{ kind: "task.checked", data: { warning_id: null, candidate_ids: [] } }]);
    expect((await bob.start("Add rate limiting", { repo: "acme/shop" })).status).toBe("ok");
  });

  test("[GA40] is all open work of the repository, and of none, while there is little of it", async () => {
    const house = await open();
    const ada = workerOf(house);
    const [here, anywhere, elsewhere, closed] = [
      await ada.begin("Paint the boat shed", { repo: "acme/shop" }),
      await ada.begin("Photograph museum"),
      await ada.begin("Weed the orchard", { repo: "acme/other" }),
      await ada.begin("Sell tickets", { repo: "acme/shop" }),
    ];
    await ada.task("complete", { task_id: closed, result_summary: "Sold." });
    const bob = await newWorker(house, "bob");
    expect(listed(await bob.check(alone, { repo: "Acme/Shop" })).sort()).toEqual([here, anywhere].sort());
    expect(listed(await bob.check(alone)).sort()).toEqual([here, anywhere, elsewhere].sort());
  });

  test("[GA39, GA40] is at most five with the matches where there is more open work", async () => {
    const house = await open();
    const ada = workerOf(house);
    await openMany(ada, "acme/shop");
    const bob = await newWorker(house, "bob");
    const answer = await bob.check("Photograph the old tram at the harbour museum by the canal", { repo: "acme/shop" });
    expect(listed(answer)).toHaveLength(5);
    const far = await bob.check(wording, { repo: "acme/shop" });
    expect(listed(far)).toEqual([]);
    expect(far.message).toBe("No other work found.");
  });

  test("[GA40] is judged by what is open when the check is decided, not when memory was asked", async () => {
    let meanwhile: () => Promise<unknown> = async () => undefined;
    const tools = everyTool.map((tool) => ({
      ...tool,
      async observe(input: Record<string, unknown>, look: Look) {
        const facts = await tool.observe?.(input, look);
        if (tool.name === "covibe_task") await meanwhile();
        return facts;
      },
    }));
    const house = await openTestHouse(kind, { tools });
    const ada = workerOf(house);
    const bob = await newWorker(house, "bob");
    await ada.begin("Paint the boat shed", { repo: "acme/shop" });
    meanwhile = async () => {
      meanwhile = async () => undefined;
      await openMany(ada, "acme/shop");
    };
    expect(listed(await bob.check(alone, { repo: "acme/shop" })).length).toBeLessThanOrEqual(5);
  });

  test("[GA39, GA14] of private people says nothing but that it is there", async () => {
    const house = await open();
    const eve = await (await newWorker(house, "eve", { private: true })).inSession();
    const id = await eve.begin("Throttle requests on the public API", { repo: "acme/shop" });
    const bob = await newWorker(house, "bob");
    const answer = await bob.check("Limit the public requests", { repo: "acme/shop" });
    const shown = { id, title: "@private", owner: "@private", agent: null, status: "active" };
    expect([...matchesOf(answer), ...nearestOf(answer)]).toMatchObject([shown]);
    expect(JSON.stringify(answer)).not.toMatch(/Throttle|"eve"|"Test"/);
  });

  test("[GA41] comes with the files that others are at, three by name", async () => {
    const house = await open();
    const ada = workerOf(house);
    const files = ["src/a.ts", "src/b.ts", "src/c.ts", "src/d.ts"];
    await ada.begin("Paint the boat shed", { repo: "acme/shop", target_files: files });
    const bob = await newWorker(house, "bob");
    const answer = await bob.check(alone, { repo: "acme/shop", target_files: files });
    expect(answer.message).toBe(
      "No close match. Review the one other task in nearest. Other work touches src/a.ts, src/b.ts, src/c.ts and 1 more.",
    );
    expect(answer.feedback.required_action).toContain("Before you change src/a.ts, src/b.ts, src/c.ts and 1 more");
    expect(nearestOf(answer)).toMatchObject([{ file_overlap: files }]);
  });

  test("[GA39] is told with a plan, and warns of nothing", async () => {
    const house = await open();
    await workerOf(house).begin("Throttle requests on the public API", { repo: "acme/shop" });
    const bob = await newWorker(house, "bob");
    const planned = await bob.plan("Add rate limiting", { repo: "acme/shop" });
    expect(planned).toMatchObject({
      status: "ok",
      message: "The task is planned. No close match.",
      data: { warning_id: null, nearest: [{ title: "Throttle requests on the public API" }] },
    });
  });
});
