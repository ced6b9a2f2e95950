import { expect, test } from "vitest";
import { commitIn, lines, openScene } from "../forecast/scene.ts";
import { writeIn } from "../git/scratch.ts";
import { crewdeck, openHome } from "./program.ts";

test("[FC9, CL94] a person sees in the terminal what would collide and what is behind", async () => {
  const scene = openScene({ "pay.js": lines(), "other.txt": "x\n" });
  const cards = scene.worktree("cards");
  commitIn(cards, { "pay.js": lines({ 5: "mine" }) });
  const refunds = scene.worktree("refunds");
  commitIn(refunds, { "pay.js": lines({ 5: "theirs" }) });
  commitIn(scene.path, { "pay.js": lines({ 50: "on main" }) }, "Round to cents");
  const home = openHome();
  const run = async (...words: string[]) => {
    const { code, stdout } = await crewdeck(home, [...words, "--repo", scene.path]);
    expect(code).toBe(0);
    return stdout;
  };
  expect(await run("conflicts")).toMatch(/^Conflict +cards and refunds\n +pay\.js/);
  const behind = (await run("behind")).split("\n");
  expect(behind.map((line) => line.split(/ {2,}/))).toContainEqual([
    "cards",
    "1",
    "1",
    expect.anything(),
    "pay.js: Round to cents",
  ]);
  // Not looked at, and said so; more than one commit that concerns it are all told.
  writeIn(cards, "large.bin", "x".repeat(1024 * 1024 + 1));
  expect(await run("conflicts")).toContain("Not checked: 1 untracked file over 1 MiB in cards.");
  commitIn(scene.path, { "pay.js": lines({ 30: "more", 50: "on main" }) }, "Round to euros");
  const all = (await run("behind")).split("\n");
  expect(all.at(all.indexOf("cards:") + 1)).toMatch(/^ {2}[0-9a-f]{10} pay\.js: Round to euros \(Ada Example\)$/);
  expect(all.at(all.indexOf("cards:") + 2)).toMatch(/ pay\.js: Round to cents \(Ada Example\)$/);
  // What a repository calls its files moves no cursor, and every line fits.
  const hostile = `${"long-".repeat(12)}\u001b[2J.js`;
  for (const folder of [cards, refunds]) commitIn(folder, { [hostile]: lines({ 5: folder }) });
  for (const words of [["conflicts"], ["conflicts", "--order"], ["behind"]]) {
    const shown = await crewdeck({ ...home, env: { ...home.env, COLUMNS: "60" } }, [...words, "--repo", scene.path]);
    expect(shown.stdout).not.toContain("\u001b");
    for (const line of shown.stdout.split("\n").filter((one) => !/^ +then |`git /.test(one)))
      expect(line.length).toBeLessThanOrEqual(60);
  }
  expect(await run("conflicts")).toContain("long-long-");
  const told = JSON.parse(await run("conflicts", "--json")) as { collisions: { verdict: string }[] };
  expect(told.collisions.map(({ verdict }) => verdict)).toEqual(["conflict"]);
});
