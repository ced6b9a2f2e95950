import { spawn } from "node:child_process";
import { readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { openForecast } from "../../src/adapters/forecast/forecast.ts";
import { letPass, until } from "../../src/testing/waiting.ts";
import { ensureBuilt, openHome, programFile, type TestHome, tokenOf } from "../cli/program.ts";
import { Program } from "../crash/program.ts";
import { git, makeFolder, writeIn } from "../git/scratch.ts";
import { commitIn, type ForecastScene, lines, listAll, openScene } from "./scene.ts";

beforeAll(ensureBuilt);

/** Of each of two kinds of restart. */
const kills = 3;
const workers = 6;

interface Server {
  readonly program: Program;
  readonly url: string;
}

async function startServer(home: TestHome): Promise<Server> {
  const args = [programFile, "serve", "--json"];
  const program = new Program(spawn(process.execPath, args, { env: home.env, stdio: "pipe" }));
  onTestFinished(() => program.kill());
  const [greeting] = await program.waitForLines(1);
  return { program, url: (greeting as { url: string }).url };
}

interface Told {
  readonly between: readonly string[];
  readonly verdict: string;
  readonly places: readonly { readonly path: string }[];
}

/** Every pair that meets, with its verdict and the files it is about. */
async function askServer({ url }: Server, home: TestHome, { path }: ForecastScene): Promise<readonly string[]> {
  const reply = await fetch(new URL("/api/tools/collision_list", url), {
    method: "POST",
    headers: { authorization: `Bearer ${tokenOf(home)}`, "content-type": "application/json" },
    body: JSON.stringify({ repository_path: path, all: true }),
  });
  const { result } = (await reply.json()) as { result: { collisions: readonly Told[] } };
  return result.collisions.map(sayPair).sort();
}

const sayPair = ({ between, verdict, places }: Told): string =>
  [verdict, ...[...between].sort(), ...new Set(places.map(({ path }) => path))].join(" ");

/** What a forecast says that has never been broken off. */
async function askAfresh({ path }: ForecastScene): Promise<readonly string[]> {
  const { meetings } = await openForecast(makeFolder()).look({ folder: path }, new AbortController().signal);
  return meetings.map(sayPair).sort();
}

/** Each git that this server has started knows the server's own view of the repository; some outlive it. */
const gitsOf = (pid: number | undefined): string[] =>
  readdirSync("/proc").filter((name) => /^\d+$/.test(name) && readEnvironment(name).includes(`crewdeck-view-${pid}-`));

function readEnvironment(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8");
  } catch {
    return "";
  }
}

/** Work of all kinds in as many worktrees, committed and not. */
function openBusyScene(): ForecastScene {
  const files = Array.from({ length: 200 }, (_, at) => [`src/part-${at}.txt`, lines({ 1: `part ${at}` })] as const);
  const scene = openScene({
    ...Object.fromEntries(files),
    "list.md": "list\n",
    ".gitattributes": "*.md merge=union\n",
  });
  for (let at = 0; at < workers; at += 1) {
    const folder = scene.worktree(`worker-${at}`);
    commitIn(folder, { [`src/part-${at}.txt`]: lines({ 5: `worker ${at}` }), "list.md": `${at}\nlist\n` });
    writeIn(folder, `src/part-${at + 1}.txt`, lines({ 5: `draft of ${at}` }));
    writeIn(folder, `notes-${at}.txt`, "not tracked\n");
    symlinkSync("list.md", join(folder, "link"));
    if (at % 3 === 0) git(folder, "mv", "src/part-50.txt", `src/renamed-${at}.txt`);
  }
  return scene;
}

test.each([
  ["what it has kept", false],
  ["nothing kept", true],
])("[FC42, FC4] killed at any moment of a forecast with %s, a server leaves everything as it was, and the next one's is right", async (_what, isEmptied) => {
  const scene = openBusyScene();
  const home = openHome();
  let server = await startServer(home);
  let midway = 0;
  // A look that was quicker than its kill is compared like the others, and does not count.
  for (let kill = 1; midway < kills; kill += 1) {
    const startedAt = performance.now();
    const told = await askServer(server, home, scene);
    const tookMs = performance.now() - startedAt;
    expect(told).toEqual(await askAfresh(scene));
    expect(told.filter((pair) => pair.startsWith("conflict")).length).toBeGreaterThanOrEqual(workers - 1);

    // Everything is to be looked at again.
    for (let at = 0; at < workers; at += 1) {
      writeIn(
        join(scene.around, `worker-${at}`),
        `src/part-${at}.txt`,
        lines({ 5: `worker ${at}`, 30: `kill ${kill}` }),
      );
    }
    if (isEmptied) rmSync(join(home.dir, "forecast"), { recursive: true });
    const before = listAll(scene.around);
    const { program } = server;
    let isAnswered = false;
    const asked = askServer(server, home, scene).then(
      () => {
        isAnswered = true;
      },
      () => undefined,
    );
    await until(() => isAnswered || gitsOf(program.process.pid).length > 0);
    await letPass((Math.random() * tookMs) / 2, "a kill comes at a random moment");
    if (!isAnswered) midway += 1;
    await program.kill();
    await asked;
    // What it had started goes on to its end.
    await until(() => gitsOf(program.process.pid).length === 0);
    expect(listAll(scene.around)).toEqual(before);
    server = await startServer(home);
  }
  expect(await askServer(server, home, scene)).toEqual(await askAfresh(scene));
  process.stdout.write(`kill -9 of a forecast: kills ${kills} · changed 0\n`);
});
