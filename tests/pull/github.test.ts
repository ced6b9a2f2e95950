import { expect, test } from "vitest";
import { followPulls } from "../../src/engine/keepers/pull-keeper.ts";
import { git } from "../git/scratch.ts";
import { openHostScene } from "./host-scene.ts";

const ask = { title: "Add a login", description: "As asked." };

test.each([
  "sqlite",
  "postgres",
] as const)("[PR14, PR15, PR16] a pull request on GitHub: pushed, opened once, followed to its merge, on %s", async (kind) => {
  const { house, github, remote, repository, call } = await openHostScene(kind);
  const made = await call("create_pr", ask);
  expect(made).toMatchObject({
    pr_number: 7,
    pr_url: "https://github.com/acme/shop/pull/7",
    branch_name: "work/login",
  });
  expect(git(remote, "rev-parse", "work/login")).toBe(repository.git("rev-parse", "work/login"));
  expect(github.pulls).toMatchObject([{ head: "work/login", base: "main", title: ask.title, body: ask.description }]);
  const again = await call("create_pull_request", { title: "Another", description: "" });
  expect(again).toMatchObject({ pr_number: 7 });
  const head = repository.commit("more", { "more.txt": "m\n" });
  expect(await call("create_pull_request", ask)).toMatchObject({ pr_number: 7 });
  expect(git(remote, "rev-parse", "work/login")).toBe(head);
  expect(github.pulls).toHaveLength(1);

  const follow = () => followPulls(house.house, new AbortController().signal);
  const listed = async () =>
    (await house.call<{ pulls: { status: string }[] }>("pull_list", { host: "github" })).pulls[0]?.status;
  await follow();
  await follow();
  expect(github.requests.slice(-2).map(({ status }) => status)).toEqual([200, 304]);
  expect(await listed()).toBe("open");
  expect(await house.call("instance_list", {})).toMatchObject({
    instances: [{ status: "pr_created", pr_number: 7, pr_url: made["pr_url"] }],
  });
  Object.assign(github.pulls[0] ?? {}, { state: "closed", merged: true });
  await follow();
  expect(await listed()).toBe("merged");
  expect(await house.call("instance_list", {})).toMatchObject({ instances: [{ status: "pr_merged" }] });
  await follow();
  expect(github.faults).toEqual([]);
});

test("[PR17] a base that the remote lacks is refused before anything is pushed", async () => {
  const { github, remote, repository, call } = await openHostScene();
  repository.git("branch", "only-here", "main");
  for (const base_branch of ["only-here", "nowhere", "--force", "main:main", "../x"]) {
    const refused = await call("create_pull_request", { ...ask, base_branch });
    expect(refused, base_branch).toMatchObject({ code: "INVALID_INPUT", tool_name: "create_pull_request" });
    expect(refused["instance_id"]).toMatch(/^work-/);
  }
  expect(git(remote, "branch", "--list", "work/*")).toBe("");
  expect(github.requests).toEqual([]);
});

test("[PR14] nothing at the remote is overwritten", async () => {
  const { remote, repository, call } = await openHostScene();
  repository.git("checkout", "-q", "-b", "theirs", "main");
  const theirs = repository.commit("theirs", { "t.txt": "t\n" });
  repository.git("push", "-q", "origin", "theirs:refs/heads/work/login");
  repository.git("checkout", "-q", "work/login");
  expect(await call("create_pull_request", ask)).toMatchObject({ code: "CONFLICT" });
  expect(git(remote, "rev-parse", "work/login")).toBe(theirs);
});

test("[PR18] what is not committed is named, and a refused pull request leaves the instance as it was", async () => {
  const { house, github, repository, call } = await openHostScene();
  repository.write("untracked.txt", "u\n");
  const refused = await call("create_pull_request", ask);
  expect(refused).toMatchObject({ code: "INVALID_STATE", uncommitted: ["untracked.txt"] });
  repository.git("clean", "-fdq");
  const route = "POST /repos/acme/shop/pulls";
  const cases = [
    [{ status: 401 }, "GITHUB_AUTH_FAILED"],
    [{ status: 403 }, "GITHUB_PERMISSION_DENIED"],
    [{ status: 404 }, "GITHUB_REPOSITORY_NOT_FOUND"],
    [{ status: 409 }, "GITHUB_API_ERROR"],
    [{ status: 422, body: { message: "Validation Failed", errors: [{ message: "No commits" }] } }, "GITHUB_API_ERROR"],
    [{ status: 429, headers: { "retry-after": "600" } }, "GITHUB_RATE_LIMIT_EXCEEDED"],
  ] as const;
  for (const [trouble, code] of cases) {
    // What might pass is tried again a few times.
    github.fail(route, ...Array.from({ length: 3 }, () => trouble));
    expect(await call("create_pull_request", ask), code).toMatchObject({ code });
    github.troubles.length = 0;
    expect(await house.call("instance_list", {})).toMatchObject({ instances: [{ status: "started" }] });
  }
  expect(await call("create_pull_request", ask)).toMatchObject({ pr_number: 7 });
  expect(github.faults).toEqual([]);
});

test("[PR19] limits are waited for, and lost, cut and slow answers open nothing twice", async () => {
  const { github, call } = await openHostScene("sqlite", { timeoutMs: 3_000 });
  const route = "POST /repos/acme/shop/pulls";
  github.fail("GET /repos/acme/shop/pulls", { status: 500 }, { status: 403, headers: { "retry-after": "0" } });
  github.fail(route, "cut", "slow", { status: 429, headers: { "retry-after": "0" } });
  expect(await call("create_pull_request", ask)).toMatchObject({ pr_number: 7 });
  expect(github.pulls).toHaveLength(1);
  expect(github.countOf(route)).toBe(4);
  expect(github.faults).toEqual([]);
});

const issues = [
  { title: "Login page", body: "A form.", depends_on: ["Sessions", 3], acceptance_criteria: ["It opens", "It closes"] },
  { title: "Sessions", body: "Keep them.", labels: ["backend"] },
  { title: "Login  page", body: "Twice." },
];

test.each([
  "sqlite",
  "postgres",
] as const)("[PR20, PR21, PR22] issues are filed once, in order, with the numbers of what they depend on, on %s", async (kind) => {
  const { github, call } = await openHostScene(kind);
  github.fail("POST /repos/acme/shop/issues", { status: 422 });
  expect(await call("create_issues", { issues }, "planning")).toMatchObject({
    code: "GITHUB_API_ERROR",
    issues: [],
    not_filed: ["Login page", "Sessions", "Login  page"],
  });
  expect(github.issues).toEqual([]);
  const answer = await call("create_issues", { issues }, "planning");
  expect(answer["issues"]).toEqual([
    { title: "Login page", number: 101, url: "https://github.com/acme/shop/issues/101", created: true },
    { title: "Sessions", number: 100, url: "https://github.com/acme/shop/issues/100", created: true },
    { title: "Login  page", number: 101, url: "https://github.com/acme/shop/issues/101", created: false },
  ]);
  expect(github.issues).toMatchObject([
    { title: "Sessions", body: "Keep them.", labels: ["backend"] },
    { title: "Login page" },
  ]);
  expect(github.issues[1]?.body).toBe(
    "A form.\n\n## Acceptance criteria\n\n- [ ] It opens\n- [ ] It closes\n\nDepends on #100, #3",
  );
  const more = [...issues, { title: "Logout", body: "A button.", depends_on: ["Sessions"] }];
  github.fail("POST /repos/acme/shop/issues", { status: 403 });
  const failed = await call("create_issues", { issues: more }, "planning");
  expect(failed).toMatchObject({
    code: "GITHUB_PERMISSION_DENIED",
    not_filed: ["Logout"],
    details: { not_filed: ["Logout"] },
    tool_name: "create_issues",
  });
  expect(failed["issues"]).toMatchObject([{ number: 101, created: false }, { number: 100 }, { number: 101 }]);
  expect(await call("create_issues", { issues: more }, "planning")).toMatchObject({
    issues: [{ created: false }, { created: false }, { created: false }, { number: 102, created: true }],
  });
  expect(github.issues).toHaveLength(3);
  expect(github.faults).toEqual([]);
});

test("[PR21] dependencies that lead nowhere or in a circle file nothing; only planners file", async () => {
  const { github, call } = await openHostScene();
  const of = (...all: object[]) => call("create_issues", { issues: all }, "planning");
  const one = { title: "One", body: "" };
  expect(await of({ ...one, depends_on: ["Two"] })).toMatchObject({ code: "UNKNOWN_DEPENDENCY" });
  expect(await of({ ...one, depends_on: ["One"] })).toMatchObject({ code: "SELF_DEPENDENCY" });
  expect(await of({ ...one, depends_on: ["Two"] }, { title: "Two", body: "", depends_on: ["One"] })).toMatchObject({
    code: "INVALID_INPUT",
  });
  expect(await call("create_issues", { issues: [one] })).toMatchObject({ code: "FORBIDDEN" });
  expect(github.requests).toEqual([]);
});

test("[PR22] a repository without a code host has nowhere to file issues", async () => {
  const { repository, call } = await openHostScene();
  repository.git("remote", "set-url", "origin", "/srv/git/shop.git");
  const refused = await call("create_issues", { issues: [{ title: "One", body: "" }] }, "planning");
  expect(refused).toMatchObject({ code: "CAPABILITY_MISSING" });
});
