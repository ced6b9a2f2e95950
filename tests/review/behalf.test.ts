import { expect, test } from "vitest";
import { until } from "../../src/testing/waiting.ts";
import { everyTool } from "../contract/parts.ts";
import { git } from "../git/scratch.ts";
import { openScene } from "./scene.ts";

test("[IN23, IN24, DA7] people read the last lines of agents, what they committed, and ask for a review and a pull request on their behalf", async () => {
  const scene = await openScene({ behaviour: "waits" });
  const start = { path: scene.repository.path, prompt: "Do it.", agent: "standin" };
  const { id, worktree_path } = await scene.call("instance_start", start, null);
  await until(async () => (await scene.instance(id)).program_state === "running");
  const tails = () => scene.call("instance_tails", {}, null);
  await until(async () => (await tails()).tails[0]?.lines.length === 1);
  expect(await tails()).toEqual({ tails: [{ id, lines: [`stand-in ${id} says hello`] }] });
  const { programs } = await scene.call("program_list", {}, null);
  expect(programs).toContainEqual({ name: "standin", installed: true });

  expect(await scene.call("instance_diff", { id }, null)).toMatchObject({ base_branch: "feature", files_count: 0 });
  git(worktree_path, "rm", "-q", "a.txt");
  expect(await scene.call("instance_review", { id }, null)).toMatchObject({ code: "INVALID_STATE" });
  expect(await scene.call("instance_pull", { id, title: "Delete it" }, null)).toMatchObject({ code: "INVALID_STATE" });
  git(worktree_path, "commit", "-q", "-m", "gone");
  expect(await scene.call("instance_diff", { id }, null)).toMatchObject({
    files: [{ path: "a.txt", change: "deleted", deleted_lines: 1 }],
  });
  expect(await scene.call("instance_diff", { id, path: "b.txt" }, null)).toMatchObject({ code: "NOT_FOUND" });

  const review = await scene.call("instance_review", { id, reviewer_prompt: "Look at a.txt." }, null);
  expect(review).toMatchObject({ id, review_iteration: 1 });
  expect(await scene.call("instance_review", { id }, null)).toMatchObject({ code: "REVIEW_IN_PROGRESS" });
  const coder = await scene.instance(id);
  expect(coder).toMatchObject({ status: "waiting_review", round_limit: 3, can_steer: true, launch_mode: "headless" });
  expect(coder.rounds).toMatchObject([{ review_instance_id: review.review_instance_id, outcome: "live" }]);
  expect((await scene.instance(review.review_instance_id)).prompt).toContain("Look at a.txt.");

  const pull = await scene.call("instance_pull", { id, title: "Delete it" }, null);
  expect(pull).toMatchObject({ number: 1, is_local: true });
  await until(async () => (await scene.instance(id)).status === "pr_created");
  const [known] = (await scene.instances("?type=coding")) as { id: string; program_state: string; developer: string }[];
  expect(known).toMatchObject({ id, developer: coder.developer });

  await scene.call("developer_create", { handle: "grace" }, null);
  const { token } = await scene.call("token_create", { developer: "grace" }, null);
  const asGrace = async (tool: string, args: object) => {
    const headers = { authorization: `Bearer ${token}` };
    return scene.request(`/api/tools/${tool}`, { method: "POST", headers, body: JSON.stringify(args) });
  };
  expect((await asGrace("instance_tails", {})).result).toEqual({ tails: [] });
  for (const tool of ["instance_review", "instance_pull"]) {
    const more = tool === "instance_pull" ? { title: "x" } : {};
    expect((await asGrace(tool, { id, ...more })).error).toMatchObject({ code: "FORBIDDEN" });
    const unknown = { id: "work-unknown1", ...more };
    expect(await scene.call(tool, unknown, null)).toMatchObject({ code: "INSTANCE_NOT_FOUND" });
  }
  expect(await scene.call("instance_diff", { id: "work-unknown1" }, null)).toMatchObject({
    code: "INSTANCE_NOT_FOUND",
  });
});

test("[IN23] a person is refused on an agent's behalf what the agent itself would be", async () => {
  const scene = await openScene({ review: { maxIterations: 1 }, behaviour: "waits" });
  const start = { path: scene.repository.path, prompt: "Do it.", agent: "standin" };
  const { id } = await scene.call("instance_start", start, null);
  await until(async () => (await scene.instance(id)).program_state === "running");
  const review = await scene.call("instance_review", { id }, null);
  await scene.call("instance_stop", { id: review.review_instance_id }, null);
  expect(await scene.call("instance_review", { id }, null)).toMatchObject({ code: "REVIEW_LIMIT_EXCEEDED" });
  expect(await scene.call("instance_pull", { id, title: "x", base_branch: "nowhere" }, null)).toMatchObject({
    code: "INVALID_INPUT",
  });
  // The rest is raised by the same operations for request_review, create_pull_request and pull_diff.
  const refusalsOf = (name: string) => everyTool.find((tool) => tool.name === name)?.refusals;
  const launching = ["SPAWNER_ERROR", "TMUX_NOT_AVAILABLE", "CAPABILITY_MISSING", "GIT_ERROR"];
  for (const tool of ["instance_review", "request_review"]) {
    expect(refusalsOf(tool)).toEqual(expect.arrayContaining(launching));
  }
  const opening = ["CONFLICT", "REPOSITORY_NOT_FOUND", "GIT_ERROR", "TOOL_TIMEOUT", "GITHUB_AUTH_FAILED"];
  const host = ["GITHUB_PERMISSION_DENIED", "GITHUB_REPOSITORY_NOT_FOUND", "GITHUB_API_ERROR"];
  const net = ["GITHUB_RATE_LIMIT_EXCEEDED", "GITHUB_NETWORK_ERROR"];
  for (const tool of ["instance_pull", "pull_open"]) {
    expect(refusalsOf(tool)).toEqual(expect.arrayContaining([...opening, ...host, ...net]));
  }
  for (const tool of ["instance_diff", "pull_diff"]) {
    expect(refusalsOf(tool)).toEqual(expect.arrayContaining(["INVALID_STATE", "GIT_ERROR", "REPOSITORY_NOT_FOUND"]));
  }
});
