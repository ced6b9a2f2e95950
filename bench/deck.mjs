import { chromium } from "playwright-core";
import { makeFolder, readToken } from "./kit/homes.mjs";
import { median, percentile } from "./kit/measure.mjs";
import { startServer } from "./kit/programs.mjs";
import { row } from "./kit/rows.mjs";

const tasks = 10_000;
const sessions = 1_000;
const entries = 100_000;
const steps = 500;
const turns = 40;

const [many, crowd, long] = [tasks, sessions, entries].map((count) => count.toLocaleString("en"));
export const title = `The deck in a real browser: ${many} tasks, ${crowd} sessions, ${long} ledger entries`;

/** Needs a browser and minutes to fill the house; named when it is wanted. */
export const isOnRequest = true;

export async function run() {
  const home = makeFolder();
  const server = await startServer(home);
  const call = caller(server.url, readToken(home));
  const workflow = await fill(call);
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto((await call("/api/login-link")).url);
    const board = await open(page, `${server.url}/deck/board`, ".board-card");
    const boardScroll = await scroll(page, ".board-cards");
    const keys = await pressKeys(page);
    const filter = await type(page, "Find tasks", ".board");
    const crowd = await open(page, `${server.url}/deck/sessions`, ".session-row");
    const crowdScroll = await scroll(page, ".sessions");
    const crowdFilter = await type(page, "Find sessions", ".sessions-list");
    const graph = await open(page, `${server.url}/deck/workflows/${workflow}`, ".workflow-box");
    const activity = await open(page, `${server.url}/deck/activity?heartbeats=yes`, ".event-line");
    const activityScroll = await scroll(page, ".activity");
    const live = await followEvents(page, call);
    const smooth = { unit: "ms", aim: { atMost: 100 } };
    return [
      row({ what: "board, address to first card", value: board, unit: "ms" }),
      row({ what: "board, longest frame while scrolling", value: boardScroll, ...smooth }),
      row({ what: "board, J to the next card shown, p95", value: keys, ...smooth }),
      row({ what: "board, a letter typed to the filtered board, p95", value: filter, ...smooth }),
      row({ what: "sessions, address to first row", value: crowd, unit: "ms" }),
      row({ what: "sessions, longest frame while scrolling", value: crowdScroll, ...smooth }),
      row({ what: "sessions, a letter typed to the filtered list, p95", value: crowdFilter, ...smooth }),
      row({ what: `a workflow of ${steps}, address to graph`, value: graph, unit: "ms", aim: { atMost: 2_000 } }),
      row({ what: "activity, address to first line", value: activity, unit: "ms" }),
      row({ what: "activity, longest frame while scrolling", value: activityScroll, ...smooth }),
      row({ what: "call to line on screen, p50", value: live.p50, ...smooth }),
      row({ what: "call to line on screen, p95", value: live.p95, unit: "ms", aim: { atMost: 500 } }),
    ];
  } finally {
    await browser.close();
    await server.end();
  }
}

function caller(url, token) {
  return async (path, body = {}) => {
    const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
    const response = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
    const answer = await response.json();
    if (!answer.ok) throw new Error(`${path}: ${JSON.stringify(answer.error)}`);
    return answer.result;
  };
}

/** Two plans and a crowd, then heartbeats until the ledger is as long as it should be. Answers the smaller plan. */
async function fill(call) {
  const tool = (name, args) => call(`/api/tools/${name}`, args);
  await plan(tool, tasks - steps, () => []);
  const workflow = await plan(tool, steps, (place) => (place < 5 ? [] : [`Task ${place - 5}`]));
  for (let place = 0; place < sessions; place += 1) {
    const about = { agent_name: `Run ${place}`, agent_type: "claude-code", repo: `acme/shop${place % 9}` };
    await tool("covibe_session", { operation: "start", ...about });
  }
  const agents = [];
  for (let place = 0; place < 50; place += 1) {
    agents.push((await tool("agent_register", { name: `Agent ${place}`, runtime: "custom" })).id);
  }
  const beats = Math.ceil((entries - tasks - sessions) / agents.length);
  await Promise.all(
    agents.map(async (agent) => {
      for (let beat = 0; beat < beats; beat += 1) await tool("agent_heartbeat", { agent_id: agent });
    }),
  );
  return workflow;
}

async function plan(tool, count, dependsOn) {
  const { id } = await tool("workflow_create", { name: "Large", source_type: "prompt", source_content: "Much." });
  const planned = Array.from({ length: count }, (_, place) => ({
    name: `Task ${place}`,
    description: "One of many.",
    sequence: place + 1,
    depends_on: dependsOn(place),
  }));
  await tool("workflow_set_plan", { id, plan: { summary: "Large", approach: "All of it.", tasks: planned } });
  return id;
}

async function open(page, address, first) {
  const samples = [];
  for (let turn = 0; turn < 5; turn += 1) {
    const startedAt = performance.now();
    await page.goto(address, { waitUntil: "commit" });
    // Looks with every frame; waiting for a selector looks less and less often.
    await page.waitForFunction((selector) => document.querySelector(selector) !== null, first, { polling: "raf" });
    samples.push(performance.now() - startedAt);
  }
  return median(samples);
}

/** The longest time between two frames while a list is scrolled from top to bottom. */
function scroll(page, list) {
  return page.evaluate(
    ([selector, steps]) =>
      new Promise((resolve) => {
        const box = document.querySelector(selector);
        let longest = 0;
        let last = performance.now();
        let step = 0;
        const next = (now) => {
          longest = Math.max(longest, now - last);
          last = now;
          step += 1;
          box.scrollBy(0, 700);
          if (step < steps) requestAnimationFrame(next);
          else resolve(longest);
        };
        requestAnimationFrame(next);
      }),
    [list, turns * 3],
  );
}

async function pressKeys(page) {
  await page.evaluate(() => document.querySelector(".board-cards").scrollTo(0, 0));
  await page.keyboard.press("h");
  const samples = [];
  for (let turn = 0; turn < turns; turn += 1) {
    samples.push(await timeChange(page, ".board", () => page.keyboard.press("j")));
  }
  return percentile(samples, 0.95);
}

/** Each figure leaves fewer names that have it, so each changes what is shown. */
async function type(page, label, area) {
  const samples = [];
  for (const number of ["123", "456", "789", "21", "53"]) {
    await page.getByLabel(label).fill("");
    await page.waitForTimeout(100);
    for (const figure of number) samples.push(await timeChange(page, area, () => page.keyboard.press(figure)));
  }
  return percentile(samples, 0.95);
}

/** From an input to the first change of what is shown, as the page itself sees it. */
async function timeChange(page, area, act) {
  await page.evaluate((selector) => {
    const box = document.querySelector(selector);
    window.changed = new Promise((resolve) => {
      addEventListener(
        "keydown",
        (event) => {
          const at = event.timeStamp;
          const watcher = new MutationObserver(() => {
            watcher.disconnect();
            requestAnimationFrame(() => resolve(performance.now() - at));
          });
          watcher.observe(box, { subtree: true, childList: true, attributes: true, characterData: true });
          setTimeout(() => resolve(1_000), 1_000);
        },
        { once: true, capture: true },
      );
    });
  }, area);
  await act();
  return page.evaluate(() => window.changed);
}

async function followEvents(page, call) {
  const samples = [];
  await page.evaluate(() => document.querySelector(".activity").scrollTo(0, 0));
  for (let turn = 0; turn < turns; turn += 1) {
    const startedAt = performance.now();
    await call("/api/tools/agent_register", { name: `Live ${turn}`, runtime: "custom" });
    await page.getByText(`Live ${turn}`, { exact: true }).first().waitFor();
    samples.push(performance.now() - startedAt);
  }
  return { p50: median(samples), p95: percentile(samples, 0.95) };
}
