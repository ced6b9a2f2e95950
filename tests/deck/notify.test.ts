import { expect, test } from "vitest";
import { serveDeck } from "./kit.ts";

const house = serveDeck({ browser: "chromium" });

test("[DI5] the browser tells of what begins to wait while the page is out of sight, once it was asked to", async () => {
  const carol = await house.person("carol");
  const { developers } = await house.call<{ developers: { handle: string; role: string }[] }>("developer_list");
  const to = developers.find(({ role }) => role === "owner")?.handle;
  const ask = (question: string) => house.call("covibe_coordination", { operation: "ask", to, question }, carol);
  const deck = await house.open("/deck/inbox");
  await deck.page.context().grantPermissions(["notifications"], { origin: house.url });
  await deck.page.addInitScript(watchNotifications);
  await deck.goto("/deck/inbox");
  const told = () => deck.page.evaluate(() => (window as unknown as Watched).told);
  await deck.page.getByRole("button", { name: "Notify me", pressed: false }).click();
  await deck.page.getByRole("button", { name: "Notify me", pressed: true }).waitFor();
  await ask("Seen as it comes?");
  await deck.see("Seen as it comes?");
  expect(await told()).toEqual([]);
  await deck.page.evaluate(() => {
    (window as unknown as Watched).isAway = true;
  });
  await ask("Is anybody there?");
  await expect.poll(told).toEqual([["carol asks", "Is anybody there?"]]);
});

interface Watched {
  told: [string, string][];
  isAway: boolean;
}

/** Writes down what the browser's own notifications say, and lets the test look away from the page. */
function watchNotifications(): void {
  const watched = window as unknown as Watched;
  watched.told = [];
  watched.isAway = false;
  Object.defineProperty(document, "visibilityState", { get: () => (watched.isAway ? "hidden" : "visible") });
  window.Notification = class extends Notification {
    constructor(title: string, options?: NotificationOptions) {
      super(title, options);
      watched.told.push([title, options?.body ?? ""]);
    }
  };
}
