import { expect, test } from "vitest";
import { makeRepository } from "../git/scratch.ts";
import { serveDeck } from "./kit.ts";

const house = serveDeck();

test("[DP1, DP2, DP3, DP5] a local pull request is read, commented on, sent back and merged in the deck", async () => {
  const repository = makeRepository({ "a.txt": "one\ntwo\n" });
  repository.git("checkout", "-q", "-b", "work/login");
  repository.commit("login", { "a.txt": "one\nthree\n", "login.txt": "in\n" });
  repository.git("checkout", "-q", "main");
  const ask = {
    repository: repository.path,
    branch: "work/login",
    title: "Add a login page",
    description: "As **asked**.",
  };
  const { pull } = (await house.call("pull_open", ask)) as { pull: { number: number } };
  const deck = await house.open("/deck/pulls");
  await deck.see("Waiting for a decision");
  await deck.expectAccessible("pulls");
  await deck.page.getByRole("link", { name: "Add a login page" }).click();
  await deck.see("login.txt");
  await deck.page.getByRole("button", { name: "Comment on line 2" }).first().click();
  await deck.page.getByRole("textbox", { name: "Comment on line 2" }).fill("Why three?");
  await deck.page.locator(".pulls-said").getByRole("button", { name: "Comment", exact: true }).click();
  await deck.see("Why three?");
  await deck.expectAccessible("pull");
  await deck.page.setViewportSize({ width: 360, height: 740 });
  await deck.shot("pull-phone");
  await deck.page.getByRole("button", { name: "Request changes with 1 comment" }).click();
  await deck.see("Changes requested");
  await deck.see("1.1 open");
  await deck.page.getByRole("checkbox", { name: "1.1 Why three?" }).check();
  await deck.page.getByRole("textbox", { name: "What should change" }).fill("Now the rest.");
  await deck.expectAccessible("pull-items");
  await deck.page.getByRole("button", { name: "Request changes" }).click();
  await deck.see("1.1 done");
  await deck.page.getByRole("button", { name: "Squash and merge" }).click();
  await deck.see("Merged (squash)");
  expect(repository.git("log", "-1", "--format=%s", "main")).toBe(`Add a login page (#${pull.number})`);
});

test("[DP4] where several are open, the order in which they merge best is shown", async () => {
  const repository = makeRepository({ "a.txt": "one\ntwo\n" });
  for (const [branch, text] of [
    ["work/three", "one\nthree\n"],
    ["work/four", "one\nfour\n"],
  ] as const) {
    repository.git("checkout", "-q", "-b", branch, "main");
    repository.commit(branch, { "a.txt": text });
    repository.git("checkout", "-q", "main");
    await house.call("pull_open", { repository: repository.path, branch, title: `Use ${branch}`, description: "x" });
  }
  const deck = await house.open("/deck/pulls");
  const order = deck.page.getByRole("region", { name: /^Merge order/ });
  await order.getByText("merges cleanly").waitFor();
  expect(await order.getByRole("listitem").allTextContents()).toEqual([
    expect.stringMatching(/^#\d+ Use work\/four merges cleanly$/),
    expect.stringMatching(/^#\d+ Use work\/three conflicts with #\d+: a\.txtgit rebase main work\/three/),
  ]);
  await deck.expectAccessible("pulls-order");
});
