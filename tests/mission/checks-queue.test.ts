import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { evidencePorts } from "../../src/adapters/checks/ports.ts";
import { checkHands } from "../../src/adapters/checks/run-checks.ts";
import { gitHands, gitPorts } from "../../src/adapters/git/hands.ts";
import { openGitHost } from "../../src/adapters/git/host.ts";
import { freshLocation, openTestHouse } from "../../src/testing/house.ts";
import { until } from "../../src/testing/waiting.ts";
import { allow, configure, script } from "./checks.ts";
import { completeTask, makeRepository, startMission, startTask, tempDir } from "./repository.ts";

/** A hand that waits to be let go, and then does the real work. */
function heldHand() {
  let letGo: () => void = () => undefined;
  const free = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const counts = { now: 0, most: 0, begun: 0 };
  const hand: (typeof checkHands)["evidence.check"] = {
    async run(payload, turn) {
      counts.begun += 1;
      counts.now += 1;
      counts.most = Math.max(counts.most, counts.now);
      await Promise.race([
        free,
        new Promise((_, fail) => turn.signal.addEventListener("abort", () => fail(turn.signal.reason))),
      ]);
      counts.now -= 1;
      return checkHands["evidence.check"].run(payload, turn);
    },
  };
  return { hand, counts, letGo };
}

function checkedRepository() {
  const r = makeRepository();
  configure(r.dir, [script("unit", "")]);
  r.commit("checks");
  return r;
}

test("[CK11] one repository is checked at a time, and other outside work goes on meanwhile", async () => {
  const git = openGitHost({ dataDir: tempDir() });
  const { hand, counts, letGo } = heldHand();
  const house = await openTestHouse("sqlite", {
    ports: { ...gitPorts(git), ...evidencePorts },
    hands: { ...gitHands(git), "evidence.check": hand },
  });
  const repositories = Array.from({ length: 6 }, checkedRepository);
  const ending = [];
  for (const r of repositories) {
    await allow(house, r.dir);
    const { task_id } = await startTask(house, { mission_id: await startMission(house), repository_path: r.dir });
    ending.push(completeTask(house, task_id));
  }
  await until(() => counts.begun === 1);
  const [first] = repositories;
  const { id } = await house.call<{ id: string }>("workflow_create", {
    ...{ name: "Other work", source_type: "prompt", source_content: "Do it." },
  });
  const beside = `${first?.dir}-worktrees`;
  onTestFinished(() => rmSync(beside, { recursive: true, force: true }));
  const path = join(beside, "one");
  const made = { workflow_id: id, path, branch: "work/one", repo_path: first?.dir, create_worktree: true };
  await house.call("workspace_create", made);
  await until(() => existsSync(join(path, "a.txt")));
  expect(counts).toEqual({ now: 1, most: 1, begun: 1 });
  letGo();
  const answers = await Promise.all(ending);
  expect(answers.map(({ verification }) => verification)).toMatchObject(answers.map(() => ({ level: "reproduced" })));
  expect(counts).toEqual({ now: 0, most: 1, begun: 6 });
});

test("[CK12] checks that a stop has cut off are run by the next start", async () => {
  const location = freshLocation("sqlite");
  const r = checkedRepository();
  const held = heldHand();
  const before = await openTestHouse("sqlite", {
    location,
    ports: evidencePorts,
    hands: { "evidence.check": held.hand },
  });
  await allow(before, r.dir);
  const { task_id } = await startTask(before, { mission_id: await startMission(before), repository_path: r.dir });
  const ending = completeTask(before, task_id).catch(() => undefined);
  await until(() => held.counts.begun === 1);
  const { owner } = before;
  await before.house.close();
  await ending;
  const after = await openTestHouse("sqlite", { location, ports: evidencePorts, hands: checkHands });
  await after.house.errands.settle();
  expect(await after.call("task_verify", { task_id }, owner)).toMatchObject({
    level: "reproduced",
    checks: { state: "done", results: [{ name: "unit", status: "passed" }] },
  });
});

test("[CK12] an end that is answered before its checks have ended says so", async () => {
  const r = checkedRepository();
  const house = await openTestHouse("sqlite", { ports: evidencePorts, hands: {} });
  await allow(house, r.dir);
  const { task_id } = await startTask(house, { mission_id: await startMission(house), repository_path: r.dir });
  expect((await completeTask(house, task_id)).verification).toMatchObject({
    level: "verified",
    checks: [],
    warnings: ["The repository's checks are still being run; get_context says how they ended."],
  });
});
