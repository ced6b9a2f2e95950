import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as othersToo } from "node:timers/promises";
import { expect, test } from "vitest";
import { dispatch } from "../../src/engine/dispatch.ts";
import type { Trouble } from "../github/fake-github.ts";
import { type HostScene, openHostScene } from "./host-scene.ts";
import { open, openPullScene } from "./scene.ts";

/** Waits for a call whose outside work is tried again later, on a clock that is moved by hand. */
async function outlast<T>({ house }: HostScene, pending: Promise<T>): Promise<T> {
  let isOver = false;
  const end = pending.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    house.clock.advance(60_000);
    await house.house.errands.settle();
    await othersToo();
  }
  return end;
}

const troubles = {
  auth: { status: 401 },
  permission: { status: 403 },
  repository: { status: 404 },
  api: {
    status: 422,
    body: { message: "Validation Failed", errors: [{ resource: "Issue", field: "title", code: "invalid" }] },
  },
  limit: { status: 403, headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "9999999999" } },
  network: { status: 502 },
} as const satisfies Record<string, Trouble>;

test("[PR22, PR26] create_issues says what GitHub said no with", async () => {
  const scene = await openHostScene();
  const { github, call, house } = scene;
  const issues = [{ title: "One", body: "" }];
  for (const [trouble, code] of [
    [troubles.auth, "GITHUB_AUTH_FAILED"],
    [troubles.permission, "GITHUB_PERMISSION_DENIED"],
    [troubles.repository, "GITHUB_REPOSITORY_NOT_FOUND"],
    [troubles.api, "GITHUB_API_ERROR"],
    [troubles.limit, "GITHUB_RATE_LIMIT_EXCEEDED"],
    [troubles.network, "GITHUB_NETWORK_ERROR"],
  ] as const) {
    github.fail("POST /repos/acme/shop/issues", ...Array.from({ length: 20 }, () => trouble));
    const refused = await outlast(scene, call("create_issues", { issues }, "planning"));
    expect(refused, code).toMatchObject({ code, not_filed: ["One"] });
    if (trouble === troubles.api) expect(refused).toMatchObject({ detail: "Validation Failed; title invalid" });
    github.troubles.length = 0;
  }
  expect(github.issues).toEqual([]);
  const unseated = { tool: "create_issues", args: { issues }, caller: house.owner, transport: "mcp" } as const;
  expect(await dispatch(house.house, unseated)).toMatchObject({ failure: { code: "INVALID_REQUEST" } });
  const handless = await openHostScene("sqlite", { hasHands: false });
  expect(await handless.call("create_issues", { issues }, "planning")).toMatchObject({ code: "TOOL_TIMEOUT" });
});

test("[PR18, PR26] create_pull_request says what stands in its way", async () => {
  const scene = await openHostScene();
  const { github, call, house, repository } = scene;
  const ask = { title: "Login", description: "" };
  github.fail("POST /repos/acme/shop/pulls", ...Array.from({ length: 20 }, () => ({ status: 503 })));
  expect(await outlast(scene, call("create_pull_request", ask))).toMatchObject({ code: "GITHUB_NETWORK_ERROR" });
  github.troubles.length = 0;
  github.fail("POST /repos/acme/shop/pulls", troubles.api);
  expect(await outlast(scene, call("create_pull_request", ask))).toMatchObject({
    code: "GITHUB_API_ERROR",
    detail: "Validation Failed; title invalid",
  });
  expect(await call("create_pull_request", ask, "review")).toMatchObject({ code: "FORBIDDEN" });
  const unseated = { tool: "create_pull_request", args: ask, caller: house.owner, transport: "mcp" } as const;
  expect(await dispatch(house.house, unseated)).toMatchObject({ failure: { code: "INVALID_REQUEST" } });
  const handless = await openHostScene("sqlite", { hasHands: false });
  expect(await handless.call("create_pull_request", ask)).toMatchObject({ code: "TOOL_TIMEOUT" });
  mkdirSync(join(repository.path, ".git", "packed-refs"));
  expect(await call("create_pull_request", ask)).toMatchObject({ code: "GIT_ERROR" });
});

test("[PR18] pull_open tells a person the same", async () => {
  const scene = await openHostScene();
  const { github, house, repository } = scene;
  const ask = { repository: repository.path, branch: "work/login", title: "Login" };
  for (const [trouble, code] of [
    [troubles.auth, "GITHUB_AUTH_FAILED"],
    [troubles.permission, "GITHUB_PERMISSION_DENIED"],
    [troubles.repository, "GITHUB_REPOSITORY_NOT_FOUND"],
    [troubles.api, "GITHUB_API_ERROR"],
    [troubles.limit, "GITHUB_RATE_LIMIT_EXCEEDED"],
    [troubles.network, "GITHUB_NETWORK_ERROR"],
  ] as const) {
    github.fail("POST /repos/acme/shop/pulls", ...Array.from({ length: 20 }, () => trouble));
    expect(await outlast(scene, house.refusal("pull_open", ask))).toBe(code);
    github.troubles.length = 0;
  }
  repository.git("push", "-q", "origin", "+main:refs/heads/work/login");
  repository.git("checkout", "-q", "main");
  repository.commit("theirs", { "t.txt": "t\n" });
  repository.git("push", "-q", "origin", "+main:refs/heads/work/login");
  expect(await house.refusal("pull_open", ask)).toBe("CONFLICT");
  const handless = await openHostScene("sqlite", { hasHands: false });
  const other = { ...ask, repository: handless.repository.path };
  expect(await handless.house.refusal("pull_open", other)).toBe("TOOL_TIMEOUT");
  mkdirSync(join(repository.path, ".git", "packed-refs"));
  expect(await house.refusal("pull_open", ask)).toBe("GIT_ERROR");
});

test("[PR13] what became of the repository is said", async () => {
  const scene = await openPullScene();
  const { house, repository } = scene;
  await open(scene);
  for (const tool of ["pull_comment", "pull_send_back"]) {
    expect(await house.refusal(tool, { number: 9, ...(tool === "pull_comment" ? { body: "x" } : {}) })).toBe(
      "NOT_FOUND",
    );
  }
  repository.git("checkout", "-q", "--detach");
  repository.git("branch", "-m", "main", "trunk");
  for (const tool of ["pull_diff", "pull_merge"])
    expect(await house.refusal(tool, { number: 1 })).toBe("INVALID_STATE");
  repository.git("branch", "-m", "trunk", "main");
  mkdirSync(join(repository.path, ".git", "packed-refs"));
  for (const tool of ["pull_diff", "pull_merge"]) expect(await house.refusal(tool, { number: 1 })).toBe("GIT_ERROR");
  rmSync(repository.path, { recursive: true });
  for (const tool of ["pull_diff", "pull_merge"]) {
    expect(await house.refusal(tool, { number: 1 })).toBe("REPOSITORY_NOT_FOUND");
  }
});
