import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import type { Home } from "../../src/adapters/home.ts";
import { views } from "../../src/dashboard/app/views.ts";
import { settingsTabNames } from "../../src/dashboard/views/settings/settings-tabs.ts";
import { apiAt } from "../../src/transports/cli/api.ts";
import { playScene } from "../../src/transports/cli/demo/scene.ts";
import { type DeckPage, serveDeck } from "./kit.ts";

const house = serveDeck();
const folder = mkdtempSync(join(tmpdir(), "crewdeck-tour-"));
/** What the private one of them works on. */
const secret = "Look into the payment provider";

/** The example team: the fullest house there is, with people, private ones too, in the middle of everything. */
beforeAll(async () => {
  const context = { home: { dir: folder } as Home, env: {} };
  await playScene(
    apiAt(house.url, context, () => house.token),
    context,
    () => undefined,
  );
  return () => rmSync(folder, { recursive: true, force: true });
});

interface Board {
  readonly tasks: readonly { readonly id: string; readonly name: string; readonly workflow_id: string }[];
}

async function listPlaces(): Promise<string[]> {
  const read = async <T>(path: string): Promise<T> => {
    const response = await fetch(`${house.url}${path}`, { headers: { authorization: `Bearer ${house.token}` } });
    return ((await response.json()) as { result: T }).result;
  };
  const { tasks } = await read<Board>("/api/tasks?limit=100");
  const { missions } = await read<{ missions: { mission_id: string }[] }>("/api/missions");
  const { items } = await read<{ items: { id: string }[] }>("/api/overlap?everyone=true");
  const measured = tasks.find(({ name }) => name === "Measure where the time goes");
  const proven = tasks.find(({ name }) => name === "Answer the challenge");
  const places = [
    "inbox?of=everyone",
    "board",
    "board?as=list",
    "sessions",
    `overlap/${items[0]?.id}`,
    ...["", "?as=gantt", "?as=list"].map((as) => `workflows/${measured?.workflow_id}${as}`),
    `missions/${missions[0]?.mission_id}`,
    `tasks/${measured?.id}`,
    ...["changes", "context", "messages"].map((tab) => `tasks/${proven?.id}?tab=${tab}`),
    ...settingsTabNames.map((tab) => `settings?tab=${tab}`),
    "search?q=price",
  ];
  const others = views.filter(
    ({ group, path }) => group && !places.some((place) => `/${place}`.startsWith(`${path}?`)),
  );
  return [...places, ...others.map(({ path }) => path.slice(1))];
}

test.each([
  { width: 360, height: 740, scheme: "light" },
  { width: 1280, height: 800, scheme: "dark" },
  { width: 2560, height: 1200, scheme: "light" },
] as const)("[DK6, DK9] at $width pixels no view is wider than the window, and no words lie on each other", async (size) => {
  const deck = await house.open("/deck/board", size);
  await deck.page.emulateMedia({ colorScheme: size.scheme });
  // The example's repository is a folder without git, which cannot be searched.
  deck.allow(/400/);
  const untidy: unknown[] = [];
  for (const [turn, place] of (await listPlaces()).entries()) {
    await arrive(deck, place);
    await deck.shot(`tour-${size.width}-${turn}-${place.split(/\W/)[0]}`);
    await deck.expectNoSidewaysScroll();
    const found = await deck.page.evaluate(findUntidy);
    if (found.length > 0) untidy.push({ place, found });
  }
  expect(untidy).toEqual([]);
});

test("[DK31] nobody else reads a private person's work in any view, nor is led to it", async () => {
  const deck = await house.open("/deck/board", { token: await house.person("erin") });
  // The work of others that is not private may be looked at, but not all of its files.
  deck.allow(/400|403|409/);
  for (const place of await listPlaces()) {
    await arrive(deck, place);
    const text = (await deck.page.locator("body").textContent()) ?? "";
    expect({ place, isTold: text.includes(secret) || text.includes("Dana") }).toEqual({ place, isTold: false });
    const links = deck.page.locator("a[href*='/tasks/'], a[href*='/workflows/'], a[href*='/missions/']");
    const leading = await links.filter({ hasText: "@private" }).count();
    expect({ place, leading }).toEqual({ place, leading: 0 });
  }
});

test("[IX40] where the files of a repository cannot be searched, the records are", async () => {
  const deck = await house.open("/deck/search?q=price");
  // The example's repository is a folder without git.
  deck.allow(/400/);
  await deck.page.getByText("Only records are searched.").waitFor();
  await deck.page.getByRole("link", { name: "Cache price rules for each request" }).waitFor();
});

async function arrive(deck: DeckPage, place: string): Promise<void> {
  await deck.goto(`/deck/${place}`);
  await deck.page.getByRole("heading", { level: 1 }).waitFor();
  await deck.page.waitForFunction(() => document.querySelector(".bones") === null);
}

/** Words that are squeezed to a letter or two a line, and words of one row that lie on each other. */
function findUntidy(): string[] {
  const faults: string[] = [];
  /** Where the words of an element are seen: without what is only spoken, and without what is cut off. */
  const boxOf = (element: Element): DOMRect => {
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const seen: DOMRect[] = [];
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      if (node.parentElement?.closest(".only-spoken, [popover]")) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      let { left, right, top, bottom } = range.getBoundingClientRect();
      for (let holder = node.parentElement; holder && element.contains(holder); holder = holder.parentElement) {
        if (getComputedStyle(holder).overflowX === "visible") continue;
        const own = holder.getBoundingClientRect();
        [left, right] = [Math.max(left, own.left), Math.min(right, own.right)];
        [top, bottom] = [Math.max(top, own.top), Math.min(bottom, own.bottom)];
      }
      if (right > left && bottom > top) seen.push(new DOMRect(left, top, right - left, bottom - top));
    }
    const left = Math.min(...seen.map((box) => box.left));
    const top = Math.min(...seen.map((box) => box.top));
    return new DOMRect(
      left,
      top,
      Math.max(...seen.map((box) => box.right)) - left,
      Math.max(...seen.map((box) => box.bottom)) - top,
    );
  };
  const texts = document.createTreeWalker(document.querySelector("main") ?? document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const words = node.textContent?.trim() ?? "";
    const range = document.createRange();
    range.selectNodeContents(node);
    const lines = new Set(
      [...range.getClientRects()].filter(({ width }) => width > 2).map(({ top }) => Math.round(top)),
    );
    if (words.length > 3 && lines.size > 1 && words.length / lines.size < 3) faults.push(`squeezed: ${words}`);
  }
  for (const mark of document.querySelectorAll("main .chip, main .settings-act > *")) {
    const own = mark.getBoundingClientRect();
    for (let holder = mark.parentElement; holder && own.width > 2; holder = holder.parentElement) {
      const { overflowX } = getComputedStyle(holder);
      const isHiding = overflowX === "hidden" || overflowX === "clip" || holder.matches(".settings-scroll");
      if (isHiding && own.right > holder.getBoundingClientRect().right + 1) faults.push(`cut off: ${mark.textContent}`);
    }
  }
  for (const row of document.querySelectorAll(".row, .page-head, .filters, .board-who, .wrap")) {
    const parts = [...row.children].map((part) => ({ part, box: boxOf(part) })).filter(({ box }) => box.width > 2);
    for (const [place, { part, box }] of parts.entries()) {
      for (const other of parts.slice(place + 1)) {
        const across = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
        const down = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top);
        if (across > 1 && down > 3) faults.push(`on each other: ${part.textContent} / ${other.part.textContent}`);
      }
    }
  }
  return faults;
}
