import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { endReviewWithPull } from "../../src/domain/review/end-operations.ts";
import { listRounds } from "../../src/domain/review/queries.ts";
import { transactAsSystem } from "../../src/engine/system-work.ts";
import type { TestHouse } from "../../src/testing/house.ts";
import { until } from "../../src/testing/waiting.ts";
import { callerOf, callIn, makeWork, openLaunchedHouse, readInstance } from "./launched-house.ts";

async function request(house: TestHouse, folder: string): Promise<{ reviewer: string; coder: string }> {
  const reply = await callIn(house, "request_review", {}, folder);
  if (!reply.ok) throw new Error(JSON.stringify(reply.failure));
  const reviewer = (reply.value as { review_instance_id: string }).review_instance_id;
  return { reviewer, coder: (await readInstance(house, reviewer)).parentId ?? "" };
}

const withPull = (house: TestHouse, id: string) =>
  transactAsSystem(house.house.store, house.house.sources, async (work) =>
    endReviewWithPull(work, await readInstance(house, id), { number: 7, url: "http://deck/pulls/7" }),
  );

describe.each(["sqlite", "postgres"] as const)("how rounds end, on %s", (kind) => {
  test("[RV8] a reviewer's pull request approves the coder's work", async () => {
    const { house } = await openLaunchedHouse(kind);
    const { path } = makeWork();
    const { reviewer, coder } = await request(house, path);
    await withPull(house, reviewer);
    await house.house.errands.settle();
    expect(await readInstance(house, coder)).toMatchObject({ status: "pr_created", pullNumber: 7 });
    expect(await readInstance(house, reviewer)).toMatchObject({ status: "terminated", run: { state: "ended" } });
    expect(await house.house.store.read((db) => listRounds(db, coder as never))).toMatchObject([
      { outcome: "approved" },
    ]);
    await expect(callerOf(house, reviewer)).rejects.toThrow();
  });

  test("[RV8] a coder's own pull request needs no verdict any more", async () => {
    const { house } = await openLaunchedHouse(kind);
    const { path } = makeWork();
    const { reviewer, coder } = await request(house, path);
    await withPull(house, coder);
    expect(await readInstance(house, coder)).toMatchObject({ status: "pr_created", pullUrl: "http://deck/pulls/7" });
    expect(await readInstance(house, reviewer)).toMatchObject({ status: "terminated" });
  });

  test("[IN28] the folder of a coder whose program has ended goes, and nothing that was in it is lost", async () => {
    const write = `require("node:fs").writeFileSync("left.txt", "not committed\\n")`;
    const program = { command: [process.execPath, "-e", write], prompt: "file", mode: "headless", env: {} } as const;
    const { house, sweep } = await openLaunchedHouse(kind, { program });
    const ask = { path: makeWork().path, prompt: "Write.", agent: "idle" };
    const { id } = await house.call<{ id: string }>("instance_start", ask);
    const { worktreePath } = await readInstance(house, id);
    await until(async () => {
      await house.house.errands.settle();
      await sweep();
      return (await readInstance(house, id)).status === "terminated" && !existsSync(worktreePath);
    });
    const { entries } = await house.call<{ entries: { id: string; reason: string }[] }>("vault_list");
    expect(entries).toHaveLength(1);
    await house.call("vault_restore", { id: entries[0]?.id });
    await house.house.errands.settle();
    expect(readFileSync(join(worktreePath, "left.txt"), "utf8")).toBe("not committed\n");
  });

  test("[RV13, IN25] work that was sent back too often is abandoned for good, and its coder told", async () => {
    const { house, sweep } = await openLaunchedHouse(kind, { limits: { maxIterations: 2, autoAbandonAfter: 2 } });
    const { path, git } = makeWork();
    let coder = "";
    for (let round = 1; round <= 2; round += 1) {
      const asked = await request(house, path);
      coder = asked.coder;
      const as = await callerOf(house, asked.reviewer);
      const said = await callIn(house, "send_feedback", { feedback: "No.", feedback_type: "needs_work" }, path, as);
      expect(said).toMatchObject({ ok: true, value: { cleanup_status: "terminated", target_instance_id: coder } });
      await sweep();
    }
    await until(async () => {
      await sweep();
      return (await readInstance(house, coder)).status === "abandoned";
    });
    expect(await readInstance(house, coder)).toMatchObject({ endReason: expect.stringContaining("2 reviews") });
    const mail = await house.call<{ messages: { subject: string }[] }>("message_list", { agent_id: coder });
    expect(mail.messages.map(({ subject }) => subject)).toContain("Abandoned");
    for (const [tool, args] of [
      ["request_review", {}],
      ["create_pull_request", { title: "All the same", description: "" }],
    ] as const) {
      const refused = { code: "INVALID_STATE", instance_id: coder };
      expect(await callIn(house, tool, args, path)).toMatchObject({ ok: false, failure: refused });
    }
    git("checkout", "-q", "-b", "another-way");
    expect((await request(house, path)).coder).not.toBe(coder);
  });
});
