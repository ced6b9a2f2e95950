import { describe, expect, test } from "vitest";
import { git } from "../git/scratch.ts";
import { Doom } from "../review/doom.ts";
import { openHostScene } from "./host-scene.ts";

const ask = { title: "Add a login", description: "As asked." };

describe.each(["before", "after"] as const)("a server that is killed %s outside work was done", (moment) => {
  /** Calls, and opens the house again as soon as the call's outside work has come to that point. */
  async function callAndKill(tool: string, args: object, role?: string) {
    const doom = new Doom();
    const scene = await openHostScene("sqlite", { doom });
    const reached = doom.arm(moment);
    void scene.call(tool, args, role);
    await reached;
    await scene.openAgain();
    return scene;
  }

  test("[PR25] has pushed the branch and opened the pull request once, when it runs again", async () => {
    const { house, github, remote, repository, call } = await callAndKill("create_pull_request", ask);
    expect(github.pulls).toMatchObject([{ head: "work/login", base: "main", title: ask.title }]);
    expect(git(remote, "rev-parse", "work/login")).toBe(repository.git("rev-parse", "work/login"));
    expect(await house.call("instance_list", {})).toMatchObject({
      instances: [{ status: "pr_created", pr_number: 7 }],
    });
    expect(await call("create_pr", ask)).toMatchObject({ pr_number: 7 });
    expect(github.pulls).toHaveLength(1);
    expect(github.faults).toEqual([]);
  });

  test("[PR25] has filed each issue once, when it runs again", async () => {
    const issues = [
      { title: "Sessions", body: "Keep them." },
      { title: "Login page", body: "A form.", depends_on: ["Sessions"] },
    ];
    const { github, call } = await callAndKill("create_issues", { issues }, "planning");
    expect(github.issues.map(({ title }) => title)).toEqual(["Sessions", "Login page"]);
    const again = await call("create_issues", { issues }, "planning");
    expect(again["issues"]).toMatchObject([
      { title: "Sessions", created: false },
      { title: "Login page", created: false },
    ]);
    expect(github.issues).toHaveLength(2);
    expect(github.faults).toEqual([]);
  });

  test.each(["merge", "rebase"])("[PR25] has merged once by %s, when it runs again", async (method) => {
    const doom = new Doom();
    const scene = await openHostScene("sqlite", { doom });
    const { repository } = scene;
    repository.git("remote", "remove", "origin");
    repository.git("switch", "-q", "main");
    const base = repository.commit("meanwhile", { "other.txt": "o\n" });
    const opened = { repository: repository.path, branch: "work/login", ...ask };
    await scene.house.call("pull_open", opened);
    const reached = doom.arm(moment);
    void scene.house.reply("pull_merge", { number: 1, method });
    await reached;
    await scene.openAgain();
    expect(await scene.house.call("pull_get", { number: 1 })).toMatchObject({ status: "merged", merge_method: method });
    const since = repository.git("rev-list", "--first-parent", "--count", `${base}..main`);
    expect(since).toBe("1");
    expect(repository.git("show", "main:login.txt")).toBe("in");
    expect(repository.git("status", "--porcelain")).toBe("");
  });
});
