import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { configure, script } from "../mission/checks.ts";
import { makeRepository, type TestRepository } from "../mission/repository.ts";
import { crewdeck, crewdeckJson, ensureBuilt, openHome, serversOf, type TestHome } from "./program.ts";

beforeAll(ensureBuilt);

const call = (home: TestHome, tool: string, input: object) =>
  crewdeckJson<Record<string, string>>(home, "call", tool, "--input", JSON.stringify(input));

async function endTask(home: TestHome, r: TestRepository): Promise<string> {
  const { mission_id } = await call(home, "start_mission", { name: "Passkeys", objective: "Sign in" });
  const ask = { mission_id, name: "Begin", goal: "Stand", areas: ["src"], repository_path: r.dir };
  const { task_id = "" } = await call(home, "start_task", ask);
  r.write("src/key.ts", "key\n");
  const outcome = { summary: "Done." };
  await call(home, "complete_task", { task_id, status: "success", outcome, metadata: { tests_status: "passed" } });
  return task_id;
}

test("[CL55] verify task tells fresh from stale with a server and without, and ends with 1 for stale", async () => {
  const home = openHome();
  const r = makeRepository();
  const id = await endTask(home, r);
  const fresh = {
    code: 0,
    stderr: "",
    stdout: [
      "Fresh  verified  1 changed file",
      "scope: as announced",
      "tests, self-reported: passed",
      "checks at the end of the task: absent",
      "",
    ].join("\n"),
  };
  expect(await crewdeck(home, ["verify", "task", id])).toEqual(fresh);
  expect((await crewdeck(home, ["stop"])).code).toBe(0);
  expect(await crewdeck(home, ["verify", "task", id])).toEqual(fresh);
  r.write("src/key.ts", "other\n");
  const stale = await crewdeck(home, ["verify", "task", id]);
  expect(stale.code).toBe(1);
  expect(stale.stdout.split("\n").slice(0, 3)).toEqual([
    "Stale  verified  1 changed file",
    "1 changed since:",
    "  src/key.ts",
  ]);
  const offline = await crewdeck(home, ["verify", "task", id, "--json"]);
  expect(offline.code).toBe(1);
  expect(JSON.parse(offline.stdout)).toMatchObject({ task_id: id, is_stale: true, stale_files: ["src/key.ts"] });
  const unknown = await crewdeck(home, ["verify", "task", "tk_none", "--json"]);
  expect([unknown.code, JSON.parse(unknown.stdout)]).toMatchObject([1, { code: "NOT_FOUND" }]);
  expect(serversOf(home.dir)).toEqual([]);
  await crewdeck(home, ["serve", "--background"]);
  const online = await crewdeck(home, ["verify", "task", id, "--json"]);
  expect([online.code, JSON.parse(online.stdout)]).toEqual([1, JSON.parse(offline.stdout)]);
});

test("[CL55, CL56] checks are shown, allowed, run when a task ends, run again on request, and forbidden", async () => {
  const home = openHome();
  const r = makeRepository();
  const trace = join(home.dir, "..", "trace");
  const code = `require("node:fs").appendFileSync(${JSON.stringify(trace)}, "x"); process.exit(require("node:fs").existsSync("bad") ? 1 : 0)`;
  configure(r.dir, [script("unit", code, { timeoutSeconds: 30 })]);
  r.commit("checks");
  const shown = await crewdeck(home, ["checks", "show", r.dir]);
  expect(shown.code).toBe(0);
  expect(shown.stdout).toContain("Not allowed: the server runs none of these.");
  expect(shown.stdout).toContain("timeout 30 s");
  const first = await endTask(home, r);
  expect(existsSync(trace)).toBe(false);
  expect((await crewdeck(home, ["verify", "task", first, "--run-checks"])).code).toBe(1);
  expect((await crewdeck(home, ["checks", "allow", r.dir])).stdout).toContain("Allowed:");
  const second = await endTask(home, r);
  expect(readFileSync(trace, "utf8")).toBe("x");
  expect(await crewdeckJson(home, "verify", "task", second)).toMatchObject({ level: "reproduced", rerun: null });
  await crewdeck(home, ["stop"]);
  const again = await crewdeck(home, ["verify", "task", second, "--run-checks"]);
  expect([again.code, again.stdout]).toEqual([0, expect.stringContaining("checks now: done\n  [x] unit  passed")]);
  expect(readFileSync(trace, "utf8")).toBe("xx");
  r.write("bad", "");
  expect((await crewdeck(home, ["verify", "task", second, "--run-checks"])).code).toBe(1);
  const forbidden = await crewdeckJson(home, "checks", "forbid", r.dir);
  expect(forbidden).toMatchObject({ is_allowed: false, checks: [{ name: "unit", timeout_seconds: 30 }] });
  configure(r.dir, "nonsense");
  const broken = await crewdeck(home, ["checks", "show", r.dir]);
  expect([broken.code, broken.stdout]).toEqual([1, expect.stringContaining("These checks cannot run:")]);
});
