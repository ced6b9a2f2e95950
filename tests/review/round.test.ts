import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { until } from "../../src/testing/waiting.ts";
import { ensureBuilt } from "../cli/program.ts";
import { openScene } from "./scene.ts";

beforeAll(ensureBuilt);

/** One speaks HTTP, the other MCP through the bridge. */
const rounds = [
  { mode: "headless", behaviour: "feedback" },
  { mode: "tmux", behaviour: "mcp feedback" },
] as const;

describe.each(rounds)("a round, $mode, $behaviour", ({ mode, behaviour }) => {
  test(`[RV1, RV6, RV9, RV12] a review is asked for, given and merged, and leaves nothing behind (${mode})`, async () => {
    const scene = await openScene({ mode, behaviour });
    const { repository } = scene;
    const head = repository.git("rev-parse", "HEAD");
    const answer = await scene.call("request_review", {
      completion_message: "Done.",
      reviewer_prompt: "Look closely.",
    });
    expect(answer).toEqual({
      review_instance_id: expect.stringMatching(/^review-/),
      session_name: answer.review_instance_id,
      worktree_path: expect.stringContaining(answer.review_instance_id),
      branch_name: "feature",
    });
    await until(async () => (await scene.instances("?type=review"))[0].status === "terminated");
    const [coder] = await scene.instances("?type=coding");
    expect(coder).toMatchObject({ status: "started", review_iteration: 1, branch_name: "feature" });
    const tip = repository.git("rev-parse", "feature");
    expect(repository.git("log", "-1", "--format=%P", "feature").split(" ")[0]).toBe(head);
    expect(repository.git("status", "--porcelain")).toBe("");
    expect(repository.git("diff", "--name-only", head, "feature")).toBe("REVIEW_FEEDBACK.md");
    const file = readFileSync(join(repository.path, "REVIEW_FEEDBACK.md"), "utf8");
    for (const part of [
      "Round: 1",
      "Type: needs_work",
      "Priority: high",
      "1. Rename it",
      "2. Test it",
      "$(touch pwned)",
    ]) {
      expect(file).toContain(part);
    }
    const [run] = scene.read("runs").map((line) => JSON.parse(line));
    expect(run).toMatchObject({
      argv: ["#(touch pwned)", "$(touch pwned)"],
      cwd: answer.worktree_path,
      hasToken: true,
      env: {
        INSTANCE_ID: answer.review_instance_id,
        PARENT_INSTANCE_ID: coder.id,
        CREWDECK_HOME: scene.dir,
        COVIBE_AGENT: "standin",
      },
    });
    expect(run.prompt).toContain("> Done.");
    // The branch has the feedback before its reviewer has the answer.
    await until(() => scene.read("answers").length > 0);
    const [said] = scene.read("answers").map((line) => JSON.parse(line));
    expect(said.result).toEqual({
      feedback_id: expect.stringMatching(/^fb_/),
      git_commit_hash: tip,
      target_instance_id: coder.id,
      cleanup_status: "terminated",
    });
    const mail = await scene.call("message_list", { agent_id: coder.id });
    expect(JSON.stringify(mail.messages)).toContain("Please rename it.");
    await until(() => !existsSync(answer.worktree_path));
    expect(existsSync(join(repository.path, "pwned"))).toBe(false);
    expect(existsSync(join(scene.dir, "agents", answer.review_instance_id, "pwned"))).toBe(false);
    // What the reviewer left lying about is in the vault.
    const { entries } = await scene.call("vault_list");
    expect(entries).toMatchObject([{ path: answer.worktree_path, untracked: 1 }]);
  });
});
