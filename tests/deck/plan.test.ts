import { expect, test } from "vitest";
import { findWorkstreams, workstreamChoices } from "../../src/dashboard/views/plan/plan-model.ts";
import { serveDeck } from "./kit.ts";

const house = serveDeck();

test("[DT18, DT20] a task is planned with the keyboard alone and appears on the board of everyone who looks", async () => {
  const watcher = await house.open("/deck/board");
  const deck = await house.open("/deck/board");
  await deck.page.locator("main").focus();
  await deck.press("p");
  await deck.press("t");
  const title = deck.page.getByRole("textbox", { name: "Title" });
  await title.waitFor();
  await deck.expectAccessible("plan-task");
  expect(await deck.page.getByRole("button", { name: "Plan task" }).isDisabled()).toBe(true);
  await deck.page.keyboard.type("Print boarding passes in large type");
  await deck.press("Enter");
  await deck.see("“Print boarding passes in large type” planned.");
  await watcher.see("Print boarding passes in large type");
});

test("[DT18] a workstream is planned from the palette, and everything that was said goes along", async () => {
  const deck = await house.open("/deck/board");
  await deck.press("Control+k");
  await deck.page.getByRole("combobox", { name: /^Find/ }).fill("plan a work");
  await deck.press("Enter");
  await deck.page.getByRole("textbox", { name: "Title" }).fill("Boarding passes for people who see badly");
  await deck.page.getByText("More details").click();
  await deck.page.getByRole("textbox", { name: "Scope" }).fill("Print and screen");
  await deck.page.getByRole("textbox", { name: "Repository" }).fill("acme/boarding");
  await deck.page.getByRole("combobox", { name: "Priority" }).selectOption("high");
  await deck.shot("plan-workstream");
  await deck.page.getByRole("button", { name: "Plan workstream" }).click();
  await deck.see("” planned.");
  const { plannedWorkstreams } = await house.call<{ plannedWorkstreams: object[] }>("team_state");
  expect(plannedWorkstreams).toMatchObject([
    {
      title: "Boarding passes for people who see badly",
      scope: "Print and screen",
      repo: "acme/boarding",
      priority: "high",
    },
  ]);
});

test("[DT25] what is only near holds nobody up and can be looked at", async () => {
  const deck = await house.open("/deck/board");
  await deck.press("p");
  await deck.press("t");
  await deck.page.getByRole("textbox", { name: "Title" }).fill("Water the plants in the ticket hall");
  await deck.press("Enter");
  await deck.page.getByRole("button", { name: /^Nearest work \(\d+\)$/ }).click();
  const near = deck.page.getByRole("dialog", { name: "Nearest work" });
  await near.getByRole("link", { name: "Print boarding passes in large type" }).waitFor();
  await deck.expectAccessible("plan-nearest");
});

test("[DT19, DT20] where work like it is known nothing is planned until a reason is typed", async () => {
  const bob = await house.person("bob");
  const title = "Retry failed webhook deliveries with exponential backoff";
  const known = {
    title,
    task_type: "feature",
    scope: '<img src=x onerror="window.hurt=1">',
    repo: "acme/hooks",
    target_files: ["src/send.ts"],
  };
  await house.call("covibe_task", { operation: "check", ...known }, bob);
  await house.call("covibe_task", { operation: "start", ...known }, bob);
  const countOf = async (): Promise<number> =>
    (await house.call<{ tasks: { name: string }[] }>("task_list")).tasks.filter(({ name }) => name === title).length;

  const deck = await house.open("/deck/board");
  await deck.page.getByRole("button", { name: "Plan", exact: true }).click();
  await deck.press("t");
  await deck.page.getByRole("textbox", { name: "Title" }).fill(title);
  await deck.page.getByText("More details").click();
  await deck.page.getByRole("textbox", { name: /^Files/ }).fill("src/send.ts\n\n src/other.ts ");
  await deck.page.getByRole("button", { name: "Plan task" }).click();
  await deck.see("Not planned yet: similar work exists.");
  await deck.see("Same title");
  await deck.see('<img src=x onerror="window.hurt=1">');
  await deck.page.getByRole("table").getByText("bob").waitFor();
  await deck.expectAccessible("plan-known");
  expect(await countOf()).toBe(1);
  const allTheSame = deck.page.getByRole("button", { name: "Plan anyway" });
  expect(await allTheSame.isDisabled()).toBe(true);
  await deck.page.getByRole("textbox", { name: "Reason" }).fill("   ");
  expect(await allTheSame.isDisabled()).toBe(true);
  await deck.page.keyboard.type("Ours is for the mobile app.");
  await deck.press("Tab");
  await deck.press("Tab");
  await deck.press("Enter");
  await deck.see("” planned.");
  expect(await countOf()).toBe(2);
  expect(await deck.page.evaluate(() => "hurt" in window)).toBe(false);
});

test("[DT20] the dialog fits a phone", async () => {
  const deck = await house.open("/deck/board", { width: 360, height: 740 });
  await deck.press("p");
  await deck.press("t");
  await deck.page
    .getByRole("textbox", { name: "Title" })
    .fill("Retry failed webhook deliveries with exponential backoff");
  await deck.press("Enter");
  await deck.see("Not planned yet");
  await deck.expectNoSidewaysScroll();
  await deck.expectAccessible("plan-phone");
  await deck.page.getByRole("button", { name: "Edit plan" }).click();
  await deck.page.getByRole("textbox", { name: "Title" }).waitFor();
  await deck.press("Escape");
  await expect.poll(() => deck.page.getByRole("dialog").count()).toBe(0);
});

test.each([
  {
    when: "each has a name of its own",
    repos: [
      ["Autumn", "a/one"],
      ["Winter", null],
    ],
    labels: ["Autumn", "Winter"],
  },
  {
    when: "two share a name",
    repos: [
      ["Autumn", "a/one"],
      ["Autumn", null],
      ["Winter", "a/one"],
    ],
    labels: ["Autumn (a/one)", "Autumn (no repository)", "Winter"],
  },
  {
    when: "two share name and repository",
    repos: [
      ["Autumn", "a/one"],
      ["Autumn", "a/one"],
    ],
    labels: ["Autumn (a/one) wf_0", "Autumn (a/one) wf_1"],
  },
])("[DT22] workstreams are told apart when $when", ({ repos, labels }) => {
  const streams = repos.map(([title, repo], at) => ({ id: `wf_${at}`, title: title ?? "", repo: repo ?? null }));
  expect(workstreamChoices(streams).map(({ label }) => label)).toEqual(labels);
});

test("[DT22] a long list is narrowed by words in any order, and keeps what is chosen", () => {
  const choices = ["Autumn harvest", "Winter harvest", "Spring"].map((label) => ({ id: label, label }));
  const found = (typed: string, chosen = "") => findWorkstreams(choices, typed, chosen).map(({ id }) => id);
  expect(found("")).toEqual(["Autumn harvest", "Winter harvest", "Spring"]);
  expect(found(" HARVEST win")).toEqual(["Winter harvest"]);
  expect(found("summer")).toEqual([]);
  expect(found("autumn", "Spring")).toEqual(["Autumn harvest", "Spring"]);
});

async function beginStream(title: string, more: object = {}, token?: string): Promise<string> {
  await house.call("covibe_workstream", { operation: "check", title, ...more }, token);
  const started = await house.call<{ data: { workstream_id: string } }>(
    "covibe_workstream",
    { operation: "start", title, ...more },
    token,
  );
  return started.data.workstream_id;
}

test("[DT22, DT20] a task is planned into a workstream of one's own, by keyboard, and nobody else's is offered", async () => {
  const token = await house.person("carol");
  const hers = await beginStream("Lighthouse museum <b>brochure</b>", { repo: "acme/museum" }, token);
  await beginStream("Harbour pilots' timetable", {}, await house.person("dave"));

  const deck = await house.open("/deck/board", { token });
  await deck.page.locator("main").focus();
  await deck.press("p");
  await deck.press("t");
  await deck.page.getByRole("textbox", { name: "Title" }).fill("Translate the opening hours into Norwegian");
  const choice = deck.page.getByRole("combobox", { name: "Workstream (optional)" });
  await choice.getByRole("option", { name: "Lighthouse museum" }).waitFor({ state: "attached" });
  expect(await choice.getByRole("option").allTextContents()).toEqual([
    "Choose automatically",
    "Lighthouse museum <b>brochure</b>",
  ]);
  expect(await choice.inputValue()).toBe("");
  expect(await deck.page.getByRole("searchbox", { name: "Find a workstream" }).count()).toBe(0);
  await deck.press("Tab");
  await deck.press("Tab");
  await deck.page.keyboard.type("Light");
  expect(await choice.inputValue()).toBe(hers);
  await deck.expectAccessible("plan-stream");
  await deck.page.getByRole("textbox", { name: "Title" }).focus();
  await deck.press("Enter");
  await deck.see("” planned.");
  const { tasks } = await house.call<{ tasks: { name: string; workflow_id: string }[] }>("task_list");
  expect(tasks.find(({ name }) => name.startsWith("Translate the opening"))?.workflow_id).toBe(hers);
});

test("[DT22, DT20] a long list of workstreams is narrowed by typing, on a phone too", async () => {
  const token = await house.person("erin");
  const subjects = ["Anchors", "Buoys", "Compasses", "Dinghies", "Engines", "Flares"];
  for (const subject of subjects) {
    for (const place of ["north", "south"]) {
      const title = `${subject} in stock at the ${place} pier`;
      const known = { title, repo: `acme/${subject.toLowerCase()}-${place}` };
      const { data } = await house.call<{ data: { check_id: string; candidates: { id: string }[] } }>(
        "covibe_workstream",
        { operation: "check", ...known },
        token,
      );
      const scope_verdict = data.candidates.map(({ id }) => ({
        candidate_id: id,
        verdict: "different_scope",
        reason: "Other things, another pier.",
      }));
      const begin = { operation: "start", ...known, check_id: data.check_id };
      await house.call("covibe_workstream", scope_verdict.length > 0 ? { ...begin, scope_verdict } : begin, token);
    }
  }
  const deck = await house.open("/deck/board", { token, width: 360, height: 740 });
  await deck.press("p");
  await deck.press("t");
  await deck.page.getByRole("textbox", { name: "Title" }).fill("Count what lies in the shed");
  await deck.see("12 of 12 open workstreams");
  await deck.page.getByRole("searchbox", { name: "Find a workstream" }).fill("south comp");
  await deck.see("1 of 12 open workstreams");
  await deck.press("Enter");
  expect(await deck.page.getByRole("dialog").count()).toBe(1);
  const choice = deck.page.getByRole("combobox", { name: "Workstream (optional)" });
  await choice.selectOption("Compasses in stock at the south pier");
  await deck.expectNoSidewaysScroll();
  await deck.expectAccessible("plan-stream-phone");
  await deck.page.getByRole("button", { name: "Plan task" }).click();
  await deck.see("” planned.");
});
