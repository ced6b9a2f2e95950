import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ChangedFile } from "../../src/contract/task-diff.ts";
import { marksOf, opensByItself, sayLines } from "../../src/dashboard/views/task/diff-model.ts";
import { until } from "../../src/testing/waiting.ts";
import { makeRepository, type TestRepository } from "../git/scratch.ts";
import { serveDeck, type TestAgent } from "./kit.ts";

const house = serveDeck();

const login = [
  'import { readUser } from "./users.ts";',
  "",
  "export async function signIn(name: string, password: string) {",
  "  const user = await readUser(name);",
  "  if (!user) return undefined;",
  "  return user.password === password ? user : undefined;",
  "}",
  "",
];
const evil = '<img src=x onerror="document.title=1">\u202e </td><script>alert(1)</script>';

async function startTask(agent: TestAgent, repository: TestRepository): Promise<{ mission: string; task: string }> {
  const { mission_id } = await agent.call<{ mission_id: string }>("start_mission", {
    name: "Sign-in with passkeys",
    objective: "People sign in without a password.",
  });
  const { task_id } = await agent.call<{ task_id: string }>("start_task", {
    mission_id,
    name: "Ask for the passkey",
    goal: "The page asks.",
    areas: ["src"],
    repository_path: repository.path,
  });
  return { mission: mission_id, task: task_id };
}

const endTask = (agent: TestAgent, task_id: string) =>
  agent.call("complete_task", { task_id, status: "success", outcome: { summary: "It asks." } });

function changeAll(repository: TestRepository): void {
  const changed = login.with(
    2,
    "export async function signIn(name: string, answer: PasskeyAnswer): Promise<User | undefined> {",
  );
  repository.write(
    "src/auth/login.ts",
    changed.with(5, "  return verifyPasskey(user.publicKey, answer) ? user : undefined;").join("\n"),
  );
  repository.write("src/auth/passkey.ts", `export const challenge = 32;\n// ${evil}\n`);
  repository.write(
    "src/auth/words.ts",
    Array.from({ length: 700 }, (_, at) => `export const word${at} = ${at};\n`).join(""),
  );
  repository.write("src/logo.png", Buffer.from([0x89, 0x50, 0, 1, 2]));
  repository.write("docs/notes.md", "Passkeys are used.\n");
  rmSync(join(repository.path, "src/old.ts"));
}

test("[DK62, DK63, DK64] a task's changes appear when it ends, by file and line, with what is marked; a file has an address", async () => {
  const repository = makeRepository({
    "src/auth/login.ts": login.join("\n"),
    "src/old.ts": "old\n",
    "docs/notes.md": "n\n",
  });
  const agent = await house.agent("Ada");
  const { mission, task } = await startTask(agent, repository);
  const deck = await house.open(`/deck/tasks/${task}?tab=changes`);
  deck.allow(/409/);
  await deck.see("This task has no receipt yet.");
  await deck.expectAccessible("diff-empty");
  changeAll(repository);
  await endTask(agent, task);
  await deck.see("6 files changed");
  const file = (path: string) => deck.page.locator("details", { has: deck.page.locator("summary", { hasText: path }) });
  expect((await file("src/auth/login.ts").locator("tr[data-kind=added]").allTextContents())[1]).toBe(
    "6+  return verifyPasskey(user.publicKey, answer) ? user : undefined;",
  );
  expect(await file("docs/notes.md").locator(".chip").allTextContents()).toEqual(["out of scope"]);
  expect(await file("src/logo.png").locator(".chip").allTextContents()).toEqual(["added", "binary"]);
  expect(await file("src/old.ts").locator("tr[data-kind]").allTextContents()).toEqual(["1-old"]);
  // Text is text: nothing of a file became markup, and what turns the reading direction is seen.
  expect(await file("src/auth/passkey.ts").locator("img, script").count()).toBe(0);
  await file("src/auth/passkey.ts")
    .getByText('// <img src=x onerror="document.title=1">\\u202e </td><script>')
    .waitFor();

  // A long file is closed; opened by keyboard it shows its beginning, and the rest on request.
  const words = file("src/auth/words.ts");
  expect(await words.locator("tr").count()).toBe(0);
  await words.locator("summary").focus();
  await deck.press("Enter");
  await words.getByText("export const word399 =").waitFor();
  await expect.poll(() => deck.page.url()).toContain("file=src%2Fauth%2Fwords.ts");
  await words.getByRole("button", { name: "Show 300 more lines" }).click();
  await words.getByText("export const word699 =").waitFor();
  await words.locator("summary").click();
  await expect.poll(() => deck.page.url()).not.toContain("file=");
  await deck.page.evaluate(() => scrollTo(0, 0));
  await deck.expectAccessible("diff");

  // Changed since: said of the file, and its lines are not made up.
  repository.write("src/auth/login.ts", "something else\n");
  repository.write("docs/notes.md", "n\n");
  await deck.page.getByRole("button", { name: "Refresh" }).click();
  await deck.see("2 files are something else now than when the task ended:");
  await file("src/auth/login.ts").locator("summary").click();
  await file("src/auth/login.ts").getByText("Changed since: what the task left here is no longer there.").waitFor();
  expect(await file("src/auth/login.ts").locator("tr").count()).toBe(0);
  await deck.expectAccessible("diff-stale");

  // From the mission's receipt to the line.
  await deck.goto(`/deck/missions/${mission}`);
  await deck.page.getByRole("link", { name: "src/auth/words.ts" }).click();
  await words.getByText("export const word0 =").waitFor();
  expect(new URL(deck.page.url()).searchParams.get("file")).toBe("src/auth/words.ts");
});

test("[DK63, DK6] on a phone only the code moves sideways, and a file outside the first page opens by its address", async () => {
  const repository = makeRepository({ "src/auth/login.ts": login.join("\n"), "src/old.ts": "old\n" });
  const agent = await house.agent("Bob");
  const { task } = await startTask(agent, repository);
  changeAll(repository);
  await endTask(agent, task);
  const deck = await house.open(`/deck/tasks/${task}?tab=changes`, { width: 360, height: 740 });
  await deck.see("verifyPasskey");
  await deck.expectNoSidewaysScroll();
  const scroll = deck.page.locator(".diff-scroll").filter({ hasText: "verifyPasskey" });
  expect(await scroll.evaluate((part) => part.scrollWidth > part.clientWidth)).toBe(true);
  await scroll.scrollIntoViewIfNeeded();
  await deck.expectAccessible("diff-phone");

  const { task: many } = await startTask(agent, repository);
  for (let at = 0; at < 130; at += 1)
    repository.write(`src/many/${String(at).padStart(3, "0")}.ts`, `export const n = ${at};\n`);
  await endTask(agent, many);
  await deck.goto(`/deck/tasks/${many}?tab=changes&file=src/many/129.ts`);
  await deck.see("export const n = 129;");
  await deck.page.getByRole("button", { name: "Show 30 more files" }).click();
  await deck.see("src/many/128.ts");
  await deck.expectNoSidewaysScroll();
});

test("[DK4, DK62] what cannot be read says why: another developer's task, a folder that is gone", async () => {
  const repository = makeRepository({ "src/old.ts": "old\n" });
  const agent = await house.agent("Cleo");
  const { task } = await startTask(agent, repository);
  repository.write("src/old.ts", "new\n");
  await endTask(agent, task);
  const stranger = await house.open(`/deck/tasks/${task}?tab=changes`, { token: await house.person("dora") });
  stranger.allow(/403/);
  await stranger.see("That task is another developer's.");
  rmSync(repository.path, { recursive: true });
  const deck = await house.open(`/deck/tasks/${task}?tab=changes`);
  deck.allow(/ 50\d/);
  await deck.see("The repository folder does not exist on this machine.");
  await deck.page.getByRole("button", { name: "Try again" }).waitFor();
});

const file: ChangedFile = {
  path: "a.txt",
  change: "modified",
  state: "shown",
  missing: [],
  before: "file",
  after: "file",
  unexpected: false,
  stale: false,
  added_lines: 1,
  deleted_lines: 1,
  line_ends: null,
  lossy: false,
  hunks: [],
  left_out_lines: 0,
};

describe("a file in the list", () => {
  test.each([
    { what: "changed", part: {}, marks: [] },
    { what: "new and unexpected", part: { change: "added", unexpected: true }, marks: ["added", "out of scope"] },
    { what: "gone", part: { state: "gone", stale: true }, marks: ["changed since, deleted"] },
    { what: "too large", part: { state: "too_large" }, marks: ["too large"] },
  ] as const)("[DK62] that is $what has its marks", ({ part, marks }) => {
    expect(marksOf({ ...file, ...part }).map(({ text }) => text)).toEqual(marks);
  });

  test("[DK62] counts with its lines where they are shown", () => {
    const lost = { ...file, state: "gone" } as const;
    expect(sayLines({ files: [file, file], files_count: 2 })).toBe("2 lines added, 2 deleted");
    expect(sayLines({ files: [file, lost], files_count: 2 })).toBe("1 line added, 1 deleted in 1 of them");
  });

  test("[DK63] is closed where it is long, or one of many", () => {
    expect(opensByItself(file, 3)).toBe(true);
    expect(opensByItself(file, 13)).toBe(false);
    expect(opensByItself({ ...file, left_out_lines: 500 }, 1)).toBe(false);
    expect(opensByItself({ ...file, state: "gone" }, 1)).toBe(false);
  });
});

test("[IX41, FP4] a hit says which task changed its file last, and the page of a planned task what it will probably touch", async () => {
  const repository = makeRepository({ "src/auth/login.ts": login.join("\n") });
  const agent = await house.agent("Ida");
  const { task } = await startTask(agent, repository);
  repository.write("src/auth/passkey.ts", "export const challengeOfPasskey = 32;\n");
  await endTask(agent, task);
  await house.call("build_index", { repoPath: repository.path });
  const deck = await house.open(`/deck/search?q=challengeOfPasskey&repo=${encodeURIComponent(repository.path)}`);
  const hit = deck.page.locator(".search-hit", { hasText: "src/auth/passkey.ts" });
  await hit.getByText("last changed by").waitFor();
  expect(await hit.getByRole("link", { name: "Ask for the passkey" }).getAttribute("href")).toContain(task);
  await deck.page.getByRole("heading", { level: 1 }).click();
  await deck.page.keyboard.press("Enter");
  await deck.page.waitForURL(`**/tasks/${task}`);
  const { data: session } = await house.call<{ data: { session_id: string } }>("covibe_session", {
    operation: "start",
    repo: repository.path,
  });
  const { data: planned } = await house.call<{ data: { task_id: string } }>("covibe_task", {
    operation: "plan",
    session_id: session.session_id,
    title: "Make challengeOfPasskey longer",
    task_type: "bug",
  });
  const id = planned.task_id;
  await until(
    async () => (await house.call<{ predicted_files: object[] }>("task_get", { id })).predicted_files.length > 0,
  );
  await deck.goto(`/deck/tasks/${id}`);
  const facts = deck.page.getByLabel("Facts");
  await facts.getByText("Probably touches").waitFor();
  expect(await facts.locator("dd", { hasText: "src/auth/passkey.ts" }).textContent()).toMatch(/passkey\.ts \d+%/);
});
