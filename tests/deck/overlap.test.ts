import { expect, test } from "vitest";
import { type DeckPage, serveDeck } from "./kit.ts";

const house = serveDeck();

interface Told {
  readonly status: string;
  readonly data: Record<string, string>;
}

const task = (operation: string, args: object, token?: string): Promise<Told> =>
  house.call<Told>("covibe_task", { operation, ...args }, token);

const about = {
  task_type: "feature",
  scope: "The worker that sends, not the one that receives",
  description: "Wait longer after each failure, up to an hour.",
  action: "create",
  component: "api",
  repo: "acme/hooks",
};

/** Work that is there, by bob, and a start of the owner's that waits because of it. */
async function doubt(title: string, bob: string, more: object = {}): Promise<{ check: string; taskId: string }> {
  const known = { ...about, title, branch: "bob/retry", target_files: ["src/send.ts", "src/queue.ts"], ...more };
  await task("check", known, bob);
  const begun = await task("start", known, bob);
  const wanted = { ...about, title, branch: "retry", target_files: ["src/send.ts"] };
  const checked = await task("check", wanted);
  return { check: String(checked.data["check_id"]), taskId: String(begun.data["task_id"]) };
}

let bobs: Promise<string> | undefined;
const bobsToken = (): Promise<string> => {
  bobs ??= house.person("bob");
  return bobs;
};

const reason = "Both are wanted: ours is the fallback.";
const confirmButton = (deck: DeckPage) => deck.page.getByRole("button", { name: "Confirm start" });

test("[DT14, DT17] an empty list says when something would be there", async () => {
  const deck = await house.open("/deck/overlap");
  await deck.see("No duplicates.");
  await deck.expectAccessible("overlap-empty");
});

test("[DK17, DT14, DT15, DT17] a start that waits appears live; by keyboard both sides are compared and it is confirmed, and the agent starts", async () => {
  const title = "Retry failed webhook deliveries with exponential backoff";
  const bob = await bobsToken();
  const deck = await house.open("/deck/overlap");
  await deck.see("No duplicates.");
  const { check } = await doubt(title, bob);
  await deck.see(title);
  await deck.expectAccessible("overlap-list");
  const other = await house.open("/deck/overlap?of=mine", { token: bob });
  await other.see("No possible duplicates match your filters.");
  await other.page.getByRole("button", { name: "Clear filters" }).click();
  await other.see(title);
  await deck.press("Enter");
  await deck.page.waitForURL(new RegExp(`/deck/overlap/${check}$`));
  await deck.see("Same title");
  await deck.see("bob/retry");
  const table = deck.page.getByRole("table");
  await table.getByText("src/queue.ts").waitFor();
  expect(await table.getByText("both", { exact: true }).count()).toBe(2);
  await deck.expectAccessible("overlap");
  expect(await confirmButton(deck).isDisabled()).toBe(true);
  await deck.press("c");
  await deck.press("Space");
  expect(await confirmButton(deck).isDisabled()).toBe(true);
  await deck.press("Tab");
  await deck.page.keyboard.type("          ");
  expect(await confirmButton(deck).isDisabled()).toBe(true);
  await deck.page.keyboard.type(reason);
  await deck.press("Tab");
  await deck.press("Enter");
  await deck.see("confirmed, waiting for the agent");
  await deck.expectAccessible("overlap-confirmed");
  const started = await task("start", { ...about, title, branch: "retry", check_id: check });
  expect(started).toMatchObject({ status: "ok", data: { warning_status: "judged" } });
  await deck.see("settled");
  await deck.see("Earlier decisions");
  await deck.see(reason);
});

test("[DT15] a start without a recorded reason stays blocked, and the server refuses a confirmation without one", async () => {
  const title = "Compress the nightly database backups with zstd";
  const { check } = await doubt(title, await bobsToken());
  const blocked = await task("start", { ...about, title, branch: "retry", check_id: check });
  expect(blocked).toMatchObject({ status: "blocked", data: { code: "VERDICT_REQUIRED" } });
  for (const bad of [undefined, "", "          "]) {
    await expect(house.call("check_confirm", { check_id: check, reason: bad })).rejects.toThrow("INVALID_REQUEST");
  }
});

test("[DT16] an own warning is dismissed with a reason, and leaves the list of everyone who looks", async () => {
  const title = "Show the parcel tracking map on the order page";
  const { check } = await doubt(title, await bobsToken());
  const watcher = await house.open("/deck/overlap");
  await watcher.see(title);
  const deck = await house.open(`/deck/overlap/${check}`);
  await deck.see("Your decision");
  await deck.press("x");
  const dismiss = deck.page.getByRole("button", { name: "Dismiss", exact: true });
  expect(await dismiss.isDisabled()).toBe(true);
  const dialog = deck.page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Reason" }).fill("They draw it for the courier.");
  await deck.shot("overlap-dismiss");
  await deck.press("Tab");
  await deck.press("Enter");
  await deck.see("They draw it for the courier.");
  expect(await watcher.page.getByText("dismissed").count()).toBe(0);
});

test("[DT16] somebody else's check is read and not decided", async () => {
  const title = "Cache the exchange rates of the checkout for an hour";
  const bob = await bobsToken();
  const { check } = await doubt(title, bob);
  const deck = await house.open(`/deck/overlap/${check}`, { token: bob });
  await deck.see("Same title");
  await deck.see(/Only .+ can decide/);
  expect(await confirmButton(deck).count()).toBe(0);
  expect(await deck.page.getByRole("button", { name: "Dismiss warning" }).count()).toBe(0);
});

test("[DT13] of private work nothing is shown but how like it is, on the API and on the page", async () => {
  const title = "Write the onboarding e-mails in Portuguese and Spanish";
  const quinn = await house.person("quinn", { private: true });
  const { check } = await doubt(title, quinn, {
    description: "Undercover.",
    scope: "Undercover",
    branch: "undercover",
  });
  const headers = { authorization: `Bearer ${house.token}` };
  const answer = await (await fetch(`${house.url}/api/overlap/${check}`, { headers })).text();
  expect(answer).toContain("@private");
  expect(answer).not.toMatch(/undercover|quinn/i);
  const deck = await house.open(`/deck/overlap/${check}`);
  await deck.see("Much in common with private work");
  expect(await deck.page.content()).not.toMatch(/undercover|quinn/i);
  await deck.expectAccessible("overlap-private");
});

test("[DT17] the page fits a phone, and what agents wrote stays text", async () => {
  const title = 'Render <img src=x onerror="window.hurt=1"> tags of the product reviews as text';
  const { check } = await doubt(title, await bobsToken(), { scope: "<script>window.hurt=1</script>" });
  const deck = await house.open(`/deck/overlap/${check}`, { width: 360, height: 740 });
  await deck.see("Your decision");
  await deck.see("<script>window.hurt=1</script>");
  await deck.expectNoSidewaysScroll();
  await deck.expectAccessible("overlap-phone");
  await deck.goto("/deck/overlap");
  await deck.see(title);
  await deck.expectNoSidewaysScroll();
  await deck.shot("overlap-list-phone");
  expect(await deck.page.evaluate(() => "hurt" in window)).toBe(false);
});

test("[DT14] the inbox leads to both sides", async () => {
  const title = "Let visitors export their invoices as one archive";
  await doubt(title, await bobsToken());
  const deck = await house.open("/deck/inbox");
  await deck.page.getByRole("link", { name: new RegExp(title, "i") }).click();
  await deck.see("Your decision");
});

test("[DT21] the board marks work that may be done twice and leads to the comparison", async () => {
  const { check, taskId } = await doubt("Rotate the signing keys of the webhooks every night", await bobsToken());
  const deck = await house.open("/deck/board");
  const card = deck.page.getByRole("article").filter({ hasText: "Rotate the signing keys" });
  await card.getByRole("link", { name: /^possible duplicate/ }).click();
  await deck.page.waitForURL(new RegExp(`/deck/overlap/${check}$`));
  const { items } = await house.call<{ items: { id: string; work_ids: string[] }[] }>("overlap_list", {
    everyone: true,
  });
  expect(items.find(({ id }) => id === check)?.work_ids).toEqual([taskId]);
});
