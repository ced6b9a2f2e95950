import { expect, test } from "vitest";
import { type DeckPage, serveDeck } from "./kit.ts";

const house = serveDeck();

interface Told {
  readonly data: Record<string, unknown>;
  readonly notices?: readonly { readonly text: string }[];
}

const call = (tool: string, operation: string, args: object, token?: string): Promise<Told> =>
  house.call<Told>(tool, { operation, ...args }, token);
const coordinate = (operation: string, args: object, token?: string) =>
  call("covibe_coordination", operation, args, token);

let bobs: Promise<string> | undefined;
const bobsToken = (): Promise<string> => {
  bobs ??= house.person("bob");
  return bobs;
};

async function owner(): Promise<string> {
  const { developers } = await house.call<{ developers: { handle: string; role: string }[] }>("developer_list");
  return developers.find(({ role }) => role === "owner")?.handle ?? "";
}

/** Bob works on it in a session, and a start of the owner's is held up because of it. */
async function holdUp(title: string): Promise<{ check: string; ours: string }> {
  const bob = await bobsToken();
  const ours = (await call("covibe_session", "start", { agent_name: "Anna" })).data["session_id"];
  const work = { title, task_type: "feature", repo: "acme/hooks", target_files: ["src/send.ts"] };
  const { data } = await call("covibe_session", "start", { agent_name: "Boots", agent_type: "codex" }, bob);
  await call("covibe_task", "check", { ...work, session_id: data["session_id"] }, bob);
  await call("covibe_task", "start", { ...work, session_id: data["session_id"] }, bob);
  const checked = await call("covibe_task", "check", { ...work, session_id: ours });
  return { check: String(checked.data["check_id"]), ours: String(ours) };
}

/** Nothing of a dialog is beyond the edge of a phone, to the side or under what cannot be scrolled. */
async function expectToFitAPhone(deck: DeckPage, name: string): Promise<void> {
  const size = deck.page.viewportSize() ?? { width: 1280, height: 800 };
  await deck.page.setViewportSize({ width: 360, height: 740 });
  await deck.shot(`${name}-phone`);
  await deck.expectNoSidewaysScroll();
  const dialog = deck.page.getByRole("dialog");
  expect(await dialog.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
  const last = dialog.getByRole("button").last();
  await last.scrollIntoViewIfNeeded();
  const box = await last.boundingBox();
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(360);
  await deck.page.setViewportSize(size);
}

const sent = (deck: DeckPage) => deck.page.getByRole("button", { name: "Undo" }).waitFor({ state: "detached" });

test("[DK6, DI7, DI6] a possible duplicate is refused with a reason that reaches the agent", async () => {
  const title = "Retry failed webhook deliveries with exponential backoff";
  const { check, ours } = await holdUp(title);
  const deck = await house.open("/deck/inbox");
  await deck.page.getByRole("button", { name: `Decide ${title}` }).click();
  const dialog = deck.page.getByRole("dialog");
  await dialog.getByText("Likely duplicate").waitFor();
  await dialog.getByRole("list", { name: "Similar work" }).getByText("Boots codex · bob").waitFor();
  await deck.expectAccessible("inbox-decide");
  await expectToFitAPhone(deck, "inbox-decide");
  await dialog.getByRole("radio", { name: "Don’t start" }).check();
  const refuse = dialog.getByRole("button", { name: "Refuse start" });
  expect(await refuse.isDisabled()).toBe(true);
  await dialog.getByRole("textbox", { name: "Reason" }).fill("Bob finishes this today.");
  await refuse.click();
  await deck.see("Start refused.");
  await deck.see("Nothing needs you.");
  await sent(deck);
  await expect.poll(() => house.call("inbox")).toEqual({ items: [] });
  const told = await call("covibe_session", "heartbeat", { session_id: ours });
  expect(told.notices).toMatchObject([{ text: expect.stringContaining("Bob finishes this today.") }]);
  const started = await call("covibe_task", "start", {
    title,
    task_type: "feature",
    repo: "acme/hooks",
    check_id: check,
  });
  expect(started).not.toMatchObject({ status: "ok" });
});

test("[DI7, DT24] a start is joined to existing work, in the inbox and from the comparison, and its owner is asked", async () => {
  const bob = await bobsToken();
  const deck = await house.open("/deck/inbox");
  await holdUp("Print boarding passes in large type");
  await deck.page.getByRole("button", { name: "Decide Print boarding passes in large type" }).click();
  const dialog = deck.page.getByRole("dialog");
  await dialog.getByRole("radio", { name: "Join “Print boarding passes in large type”" }).check();
  await dialog.getByRole("button", { name: "Join work" }).click();
  await deck.see("Joined.");
  await sent(deck);
  const bobsInbox = async () => JSON.stringify(await house.call("inbox", {}, bob));
  await expect.poll(bobsInbox).toContain("Print boarding passes in large type");
  const second = await holdUp("Show the seat map on small screens");
  await deck.goto(`/deck/overlap/${second.check}`);
  await deck.page.getByRole("table").getByRole("link", { name: "Boots" }).waitFor();
  await deck.press("r");
  await dialog.getByRole("radio", { name: /^Join/ }).check();
  await dialog.getByRole("textbox", { name: "Note" }).fill("Mine can draw the legend.");
  await deck.expectAccessible("overlap-join");
  await expectToFitAPhone(deck, "overlap-join");
  await dialog.getByRole("button", { name: "Join work" }).click();
  await deck.see("settled");
  const asked = async () => JSON.stringify(await coordinate("summary", {}, bob));
  await expect.poll(asked).toContain("Mine can draw the legend.");
});

test("[DK6, DI8] a refused claim shows path, holder and since when; the holder is asked, and the owner of the team releases it", async () => {
  const bob = await bobsToken();
  const code = { repo: "acme/shop", paths: ["src/login/**"] };
  await coordinate("claim", code, bob);
  await coordinate("claim", code);
  const deck = await house.open("/deck/inbox");
  const show = deck.page.getByRole("button", { name: /^Show/ });
  await show.click();
  const dialog = deck.page.getByRole("dialog");
  await dialog.getByText("src/login/**", { exact: true }).waitFor();
  await dialog.getByText("bob", { exact: true }).waitFor();
  await dialog
    .getByText("just now")
    .or(dialog.getByText(/\d+ s ago/))
    .waitFor();
  await deck.expectAccessible("inbox-claims");
  await expectToFitAPhone(deck, "inbox-claims");
  await dialog.getByRole("button", { name: "Ask the holder" }).click();
  await dialog.getByRole("textbox", { name: "Question to bob" }).fill("Can I have the login page?");
  await dialog.getByRole("button", { name: "Send" }).click();
  await sent(deck);
  await expect.poll(async () => JSON.stringify(await house.call("inbox", {}, bob))).toContain("the login page?");
  await show.click();
  await dialog.getByRole("button", { name: "Release" }).click();
  await deck.see("Nothing needs you.");
  await sent(deck);
  await expect.poll(() => house.call("inbox")).toEqual({ items: [] });
  expect(await coordinate("claim", code)).toMatchObject({ status: "ok" });
  await coordinate("release", { all: true });
});

test("[DK6, DI9] a handoff shows its context before it is accepted", async () => {
  const bob = await bobsToken();
  const context = {
    title: "Timetable",
    summary: "The harbours of the north are done.",
    repo: "acme/ferry",
    branch: "finnish",
    files_touched: ["src/harbours.ts"],
    next_actions: ["Translate the south"],
    blockers: ["No names for islands"],
  };
  await call("covibe_session", "publish_context", context, bob);
  await coordinate("handoff", { to: await owner(), summary: "The south is missing." }, bob);
  const deck = await house.open("/deck/inbox");
  await deck.page.getByRole("button", { name: "Review The south is missing." }).click();
  const dialog = deck.page.getByRole("dialog");
  for (const words of [...context.next_actions, ...context.blockers, ...context.files_touched, context.summary]) {
    await dialog.getByText(words).waitFor();
  }
  await deck.expectAccessible("inbox-handoff");
  await expectToFitAPhone(deck, "inbox-handoff");
  await dialog.getByRole("button", { name: "Accept" }).click();
  await sent(deck);
  await expect.poll(() => house.call("inbox")).toEqual({ items: [] });
});

test("[DI10] what waits for somebody else is shown and cannot be decided for them", async () => {
  const bob = await bobsToken();
  await coordinate("ask", { to: "bob", question: "Which harbour is next?" }, await house.person("cy"));
  const deck = await house.open("/deck/inbox?of=everyone");
  await deck.see("cy asks");
  expect(await deck.page.getByRole("button", { name: /^Answer/ }).count()).toBe(0);
  const theirs = await house.open("/deck/inbox", { token: bob });
  await theirs.page.getByRole("button", { name: "Answer Which harbour is next?" }).waitFor();
});

test("[DI6] what was sent stays out of sight while the inbox is read again", async () => {
  const cleo = await house.person("cleo");
  await coordinate("ask", { to: await owner(), question: "May I rename the queue?" }, cleo);
  const deck = await house.open("/deck/inbox");
  await deck.see("May I rename the queue?");
  await deck.press("r");
  await deck.page.getByRole("textbox", { name: "Your answer" }).fill("Yes.");
  let isReadAgain: () => void = () => undefined;
  const readAgain = new Promise<void>((resolve) => {
    isReadAgain = resolve;
  });
  let goOn: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  await deck.page.route("**/api/inbox?*", async (route) => {
    isReadAgain();
    await held;
    await route.continue().catch(() => undefined);
  });
  const answered = deck.page.waitForResponse(/covibe_coordination/);
  await deck.press("Tab");
  await deck.press("Enter");
  await answered;
  await readAgain;
  expect(await deck.page.getByText("May I rename the queue?").count()).toBe(0);
  goOn();
  await deck.see("Nothing needs you.");
});
