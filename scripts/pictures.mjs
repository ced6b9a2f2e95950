/**
 * `npm run gen -- --pictures`: opens the example team's deck in a browser and writes the pictures of the README. It is not
 * part of a plain `npm run gen`: pictures differ from run to run, so nothing checks them for drift.
 */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "./steps/root.mjs";
import { say } from "./steps/run.mjs";

const run = promisify(execFile);
const folder = join(root, "docs", "pictures");

const views = [
  { name: "inbox", path: "/deck/inbox?of=everyone", waitFor: "May price rules" },
  { name: "board", path: "/deck/board", waitFor: "Read price rules once" },
  { name: "workflow", path: "/deck/workflows", open: "Faster checkout", waitFor: "Release notes" },
  {
    name: "mission",
    path: "/deck/missions",
    open: "Sign in with passkeys",
    waitFor: "Answer the challenge",
    colorScheme: "dark",
  },
  { name: "usage", path: "/deck/usage", waitFor: "claude-sonnet-4-5", colorScheme: "dark" },
];

export async function writePictures() {
  const { chromium } = await import("playwright-core");
  const home = mkdtempSync(join(tmpdir(), "crewdeck-pictures-"));
  const crewdeck = async (...args) => {
    const { stdout } = await run(process.execPath, [
      join(root, "bin", "crewdeck.js"),
      ...args,
      "--home",
      home,
      "--json",
    ]);
    return JSON.parse(stdout);
  };
  try {
    const { sign_in, url } = await crewdeck("demo");
    const browser = await chromium.launch({
      executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
      args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"],
    });
    try {
      await takeAll(browser, sign_in, url);
    } finally {
      await browser.close();
    }
  } finally {
    await crewdeck("demo", "--remove");
    rmSync(home, { recursive: true, force: true });
  }
  say("the pictures are in docs/pictures");
}

async function takeAll(browser, signIn, url) {
  mkdirSync(folder, { recursive: true });
  const page = await browser.newPage({ viewport: { width: 1200, height: 720 }, reducedMotion: "reduce" });
  await page.goto(signIn);
  await page.waitForSelector(".frame");
  for (const { name, path, open, waitFor, colorScheme = "light" } of views) {
    await page.emulateMedia({ colorScheme });
    await page.goto(`${url}${path}`);
    if (open !== undefined) await page.getByRole("link", { name: open }).first().click();
    await page.getByText(waitFor).first().waitFor();
    await page.screenshot({ path: join(folder, `${name}.png`) });
  }
}
