import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openTestHouse } from "../../src/testing/house.ts";
import { until } from "../../src/testing/waiting.ts";
import { makeFolder, makeRepository } from "../git/scratch.ts";
import { openScene } from "./scene.ts";

describe("what request_review and send_feedback refuse", () => {
  test("[RV2, RV4, RV5, IN8] work that cannot be reviewed is refused with what is in the way", async () => {
    const scene = await openScene({ behaviour: "waits" });
    const { repository } = scene;
    repository.write("loose.txt", "x");
    const dirty = await scene.call("request_review");
    expect(dirty).toMatchObject({
      code: "INVALID_STATE",
      details: { tool_name: "request_review", files: ["loose.txt"] },
    });
    expect(dirty.message).toContain("loose.txt");
    expect(dirty.details.instance_id).toMatch(/^work-/);
    repository.git("clean", "-fdq");
    mkdirSync(join(repository.path, ".git/rebase-merge"));
    expect(await scene.call("request_review")).toMatchObject({
      code: "INVALID_STATE",
      message: expect.stringContaining("rebase"),
    });
    repository.git("rebase", "--quit");
    repository.git("checkout", "-q", "--detach");
    expect(await scene.call("request_review")).toMatchObject({ code: "INVALID_STATE" });
    repository.git("switch", "-q", "feature");
    const { review_instance_id } = await scene.call("request_review");
    expect(await scene.call("request_review")).toMatchObject({
      code: "REVIEW_IN_PROGRESS",
      details: { review_instance_id, instance_id: dirty.details.instance_id },
    });
    expect(await scene.call("send_feedback", { feedback: "x", feedback_type: "needs_work" })).toMatchObject({
      code: "FORBIDDEN",
      details: { tool_name: "send_feedback" },
    });
    expect(await scene.call("request_review", {}, null)).toMatchObject({ code: "INVALID_REQUEST" });
    expect(await scene.call("send_feedback", { feedback: "x", feedback_type: "needs_work" }, null)).toMatchObject({
      code: "INVALID_REQUEST",
    });
    expect(await scene.call("send_feedback", { feedback: "", feedback_type: "bad" })).toMatchObject({
      code: "INVALID_REQUEST",
      details: expect.any(Array),
      tool_name: "send_feedback",
    });
  });

  test("[RV3, RV7] rounds count once each, and the limit says what to do instead", async () => {
    const scene = await openScene({ behaviour: "dies", review: { maxIterations: 2 } });
    for (const round of [1, 2]) {
      expect(await scene.call("request_review")).toMatchObject({ branch_name: "feature" });
      await until(async () => (await scene.instances("?type=coding"))[0].status === "started");
      expect((await scene.instances("?type=coding"))[0].review_iteration).toBe(round);
    }
    const [coder] = await scene.instances("?type=coding");
    expect(await scene.call("request_review")).toMatchObject({
      code: "REVIEW_LIMIT_EXCEEDED",
      message: `Maximum review iterations (2) reached for agent ${coder.id}`,
      details: {
        suggestions: expect.arrayContaining(["Create pull request with current work"]),
        current_iteration: 2,
        max_iterations: 2,
        instance_id: coder.id,
        tool_name: "request_review",
      },
    });
    const mail = await scene.call("message_list", { agent_id: coder.id });
    expect(mail.messages).toHaveLength(2);
    expect(mail.messages[0].body).toContain("without a verdict");
  });

  test("[RV17] a program that is missing is said at once by request_review: SPAWNER_ERROR, TMUX_NOT_AVAILABLE", async () => {
    const agents = { gone: { command: ["/nonexistent/agent"] }, standin: { command: ["/bin/true"], mode: "tmux" } };
    const scene = await openScene({ agents, review: { agent: "gone" } });
    expect(await scene.call("request_review")).toMatchObject({ code: "SPAWNER_ERROR" });
    const other = await openScene({ agents, review: { agent: "unheard-of" } });
    expect(await other.call("request_review")).toMatchObject({ code: "SPAWNER_ERROR" });
    const { PATH } = process.env;
    const bare = makeFolder();
    symlinkSync("/usr/bin/git", join(bare, "git"));
    const third = await openScene({ agents });
    try {
      process.env["PATH"] = bare;
      expect(await third.call("request_review")).toMatchObject({ code: "TMUX_NOT_AVAILABLE" });
    } finally {
      process.env["PATH"] = PATH;
    }
  });

  test("[IN10] a house that reaches no repositories refuses request_review and send_feedback: CAPABILITY_MISSING, GIT_ERROR apart", async () => {
    const house = await openTestHouse("sqlite", { ports: {} });
    const { path } = makeRepository();
    const seated = { folder: path, seat: { role: undefined, isHere: true } };
    const { dispatch } = await import("../../src/engine/dispatch.ts");
    for (const [tool, args] of [
      ["request_review", {}],
      ["send_feedback", { feedback: "x", feedback_type: "suggestions" }],
    ] as const) {
      const reply = await dispatch(house.house, { tool, args, caller: house.owner, transport: "http", ...seated });
      expect(reply).toMatchObject({ ok: false, failure: { code: "CAPABILITY_MISSING" } });
    }
  });

  test("[RV14, RV15] whoever is beyond the number waits for room, and what takes too long is ended", async () => {
    const scene = await openScene({ behaviour: "waits", review: { maxParallel: 1, timeoutHours: 4 / 3600 } });
    const second = makeRepository();
    second.git("switch", "-q", "-c", "feature");
    const one = await scene.call("request_review");
    const two = await scene.call("request_review", {}, second.path);
    expect(existsSync(one.worktree_path)).toBe(true);
    expect(existsSync(two.worktree_path)).toBe(false);
    await until(async () => (await scene.instances("?type=review&status=terminated")).length === 2);
    const ended = await scene.instances("?type=review");
    for (const one of ended) expect(one.end_reason).toContain("longer");
    for (const coder of await scene.instances("?type=coding")) expect(coder.status).toBe("started");
    await until(() => !existsSync(one.worktree_path));
  });
});
