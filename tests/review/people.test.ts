import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { until } from "../../src/testing/waiting.ts";
import { endTerminals, openScene, type Scene } from "./scene.ts";

interface Shown {
  readonly messages: { type: string; data?: string; code?: unknown; read_only?: boolean }[];
  text(): string;
  send(message: object): void;
  close(): void;
}

/** Somebody who watches an instance's terminal. */
async function watch(scene: Scene, id: string): Promise<Shown> {
  const url = `${scene.url().replace("http", "ws")}/ws/terminal/${id}`;
  const socket = new WebSocket(url, { headers: { authorization: `Bearer ${scene.token()}` } });
  const messages: Shown["messages"] = [];
  socket.on("message", (data) => void messages.push(JSON.parse(String(data))));
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
  return {
    messages,
    text: () => messages.map(({ data = "" }) => data).join(""),
    send: (message) => socket.send(JSON.stringify(message)),
    close: () => socket.close(),
  };
}

const pidOf = (scene: Scene, id: string): number =>
  (JSON.parse(readFileSync(join(scene.dir, "agents", id, "process.json"), "utf8")) as { pid: number }).pid;

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe("agents that people start", () => {
  test("[IN13, IN14, IN15, LA1, LA2, LA9] one is started in a terminal, watched, typed to, found again after a restart and stopped", async () => {
    const scene = await openScene({ mode: "tmux", behaviour: "listens" });
    const ask = { path: scene.repository.path, prompt: "Say #(touch pwned) and `touch pwned`.", agent: "standin" };
    const started = await scene.call("instance_start", ask, null);
    expect(started).toMatchObject({ id: expect.stringMatching(/^work-/), branch_name: `work/${started.id}` });
    const { id } = started;
    await until(() => scene.read("runs").length === 1);
    expect(JSON.parse(scene.read("runs")[0] ?? "").prompt).toContain(ask.prompt);
    const shown = await watch(scene, id);
    await until(() => shown.text().includes(`stand-in ${id} says hello`));
    expect(shown.messages[0]).toMatchObject({ type: "connected", read_only: false });
    shown.send({ type: "resize", cols: 100, rows: 30 });
    shown.send({ type: "input", data: "#(touch pwned) ; $(touch pwned) Enter ü\r" });
    await until(() => scene.read("heard").length === 1);
    expect(scene.read("heard")).toEqual(["#(touch pwned) ; $(touch pwned) Enter ü"]);
    await until(() => shown.text().includes("heard: #(touch pwned)"));
    shown.send({ type: "ping" });
    shown.send({ type: "nonsense" });
    await until(() => shown.messages.some(({ code }) => code === "INVALID_MESSAGE"));
    expect(shown.messages.some(({ type }) => type === "pong")).toBe(true);
    expect((await scene.call("instance_log", { id }, null)).output).toContain("says hello");
    await scene.restart();
    expect(await scene.instance(id)).toMatchObject({ status: "started", program_state: "running" });
    const again = await watch(scene, id);
    again.send({ type: "ping" });
    await until(() => again.text().includes("says hello"));
    await until(() => again.messages.some(({ type }) => type === "pong"));
    const nobody = await watch(scene, "work-nobody");
    await until(() => nobody.messages.some(({ code }) => code === "SESSION_NOT_FOUND"));
    const pid = pidOf(scene, id);
    expect(await scene.call("instance_stop", { id }, null)).toEqual({ id, status: "terminated" });
    await until(() => !isAlive(pid) && !existsSync(started.worktree_path));
    await until(() => again.messages.some(({ type }) => type === "exit"));
    again.close();
    expect(await scene.instance(id)).toMatchObject({ end_reason: "A person stopped it.", program_state: "ended" });
    expect(await scene.call("instance_stop", { id }, null)).toMatchObject({ code: "INVALID_TRANSITION" });
    expect(existsSync(join(scene.repository.path, "pwned")) || existsSync(join(scene.dir, "pwned"))).toBe(false);
  });

  test("[LA13] many who begin and cease to watch at once end no terminal", async () => {
    const scene = await openScene({ mode: "tmux", behaviour: "listens" });
    const ask = { path: scene.repository.path, prompt: "Listen.", agent: "standin" };
    const { id } = await scene.call("instance_start", ask, null);
    await until(() => scene.read("runs").length === 1);
    const lookOn = async (): Promise<void> => {
      const shown = await watch(scene, id);
      await until(() => shown.text().includes("says hello"));
      shown.send({ type: "resize", cols: 100, rows: 30 });
      shown.close();
    };
    for (let round = 0; round < 12; round += 1) await Promise.all(Array.from({ length: 8 }, lookOn));
    expect(isAlive(pidOf(scene, id))).toBe(true);
    expect(await scene.call("instance_list", {}, null)).toMatchObject({
      instances: [{ id, program_state: "running" }],
    });
    await scene.call("instance_stop", { id }, null);
  });

  test("[IN16, IN29, RV3, RV18] a coder that we started is told by a new turn, and people allow one more round", async () => {
    const scene = await openScene({ review: { maxIterations: 1 } });
    scene.behave("asks", "coder");
    const { id } = await scene.call(
      "instance_start",
      { path: scene.repository.path, prompt: "Do it.", agent: "standin" },
      null,
    );
    const runs = () =>
      scene
        .read("runs")
        .map((line) => JSON.parse(line))
        .filter(({ env }) => env.INSTANCE_ID === id);
    await until(() => runs().length === 2);
    expect(runs()[1].prompt).toContain("Please rename it.");
    await until(() => scene.read("answers").some((line) => line.includes("REVIEW_LIMIT_EXCEEDED")));
    await until(async () => (await scene.instance(id)).status === "terminated");
    const known = await scene.instance(id);
    expect(known.feedback).toMatchObject([
      { review_iteration: 1, feedback_type: "needs_work", cleanup_status: "terminated" },
    ]);
    expect(known.told).toEqual([{ turn: 2, text: runs()[1].prompt, told_at: expect.any(String) }]);
    expect(known.relationships).toMatchObject([
      { parent_instance: id, relationship_type: "spawned_review", review_iteration: 1 },
    ]);
    expect(known.events.map(({ event }: { event: string }) => event)).toContain("instance:status");
    const { reviews } = await scene.call("review_list", {}, null);
    expect(reviews).toMatchObject([{ instance_id: id, review_iteration: 1, outcome: "feedback" }]);
    expect(await scene.call("review_grant", { id }, null)).toEqual({ id, granted_rounds: 1 });
    const reviewer = reviews[0].review_instance_id;
    expect(await scene.call("review_grant", { id: reviewer }, null)).toMatchObject({ code: "INVALID_STATE" });
    expect(await scene.call("instance_abandon", { id: reviewer }, null)).toMatchObject({ code: "INVALID_TRANSITION" });
  });

  test("[IN13, IN14, RV7, LA3] stopping a review lets the coder go on, and a killed reviewer is noticed after a restart", async () => {
    const scene = await openScene({ behaviour: "waits" });
    const one = await scene.call("request_review");
    expect(await scene.call("instance_stop", { id: one.review_instance_id }, null)).toMatchObject({
      status: "terminated",
    });
    const [coder] = await scene.instances("?type=coding");
    expect(coder.status).toBe("started");
    const two = await scene.call("request_review");
    const pid = pidOf(scene, two.review_instance_id);
    await scene.restart();
    expect((await scene.instances("?type=review&status=started")).map((other: { id: string }) => other.id)).toEqual([
      two.review_instance_id,
    ]);
    process.kill(-pid, "SIGKILL");
    await until(async () => (await scene.instances("?type=coding"))[0].status === "started");
    expect(await scene.instance(two.review_instance_id)).toMatchObject({
      end_reason: "Its program ended without a verdict.",
    });
    expect(await scene.call("instance_stop", { id: coder.id }, null)).toMatchObject({ code: "INVALID_STATE" });
    expect(await scene.call("instance_abandon", { id: coder.id }, null)).toEqual({ id: coder.id, status: "abandoned" });
    for (const tool of ["instance_stop", "instance_abandon", "instance_get", "instance_log", "review_grant"]) {
      expect(await scene.call(tool, { id: "work-unknown1" }, null)).toMatchObject({ code: "INSTANCE_NOT_FOUND" });
    }
  });

  test("[LA5] a program ends with its terminal: the coder it reviewed goes on", async () => {
    const scene = await openScene({ mode: "tmux", behaviour: "waits" });
    const { review_instance_id: id } = await scene.call("request_review");
    await until(() => scene.read("runs").length === 1);
    const pid = pidOf(scene, id);
    endTerminals(scene.dir);
    await until(() => !isAlive(pid));
    await until(async () => (await scene.instances("?type=coding"))[0].status === "started");
    expect(await scene.instance(id)).toMatchObject({ end_reason: "Its program ended without a verdict." });
  });

  test("[IN13] what is another developer's is theirs: instance_stop, instance_abandon, instance_log, review_grant are FORBIDDEN", async () => {
    const scene = await openScene({ behaviour: "waits" });
    await scene.call("request_review");
    const [coder] = await scene.instances("?type=coding");
    await scene.call("developer_create", { handle: "grace" }, null);
    const { token } = await scene.call("token_create", { developer: "grace" }, null);
    for (const tool of ["instance_stop", "instance_abandon", "instance_log", "review_grant"]) {
      const headers = { authorization: `Bearer ${token}` };
      const answer = await scene.request(`/api/tools/${tool}`, {
        method: "POST",
        headers,
        body: JSON.stringify({ id: coder.id }),
      });
      expect(answer.error).toMatchObject({ code: "FORBIDDEN" });
    }
  });

  test("[IN15] instance_start refuses what cannot be started: INVALID_INPUT, INVALID_STATE, TASK_NOT_FOUND, SPAWNER_ERROR, TMUX_NOT_AVAILABLE, CAPABILITY_MISSING and GIT_ERROR as reviews do", async () => {
    const scene = await openScene();
    const { path } = scene.repository;
    const start = (ask: object) => scene.call("instance_start", { path, prompt: "x", ...ask }, null);
    expect(await scene.call("instance_start", { path }, null)).toMatchObject({ code: "INVALID_INPUT" });
    expect(await start({ path: "/" })).toMatchObject({ code: "INVALID_INPUT" });
    expect(await start({ task_id: "tk_none" })).toMatchObject({ code: "TASK_NOT_FOUND" });
    expect(await start({ agent: "unheard-of" })).toMatchObject({ code: "SPAWNER_ERROR" });
  });
});
