import { demoHomeOf, isDemoHome, makeDemoHome, removeDemoHome } from "../../../adapters/demo-home.ts";
import { callOf, programLine } from "../../../adapters/program-line.ts";
import { findServer } from "../../../adapters/server-process.ts";
import { apiAt } from "../api.ts";
import { answer, type Context, note } from "../context.ts";
import { playScene } from "../demo/scene.ts";
import { awaitServer, awaitStop } from "../progress.ts";
import type { Shell } from "../shell.ts";
import { table } from "../table.ts";
import { findSignInLink, openDeck } from "./up.ts";

export function addDemo(shell: Shell): void {
  const command = shell
    .add({
      name: "demo",
      makesHome: true,
      summary: "Explore an example team; your own data is not touched",
      examples: ["demo", "demo --remove", "demo --json"],
    })
    .option("--remove", "stop the example's server and delete its folder");
  shell.does<{ remove?: true }>(command, async (context, { remove }) => {
    const env = withoutOwnData(context.env);
    const demo: Context = { ...context, env, home: demoHomeOf(context.home, env) };
    await (remove ? removeDemo(demo) : showDemo(demo, context));
    return undefined;
  });
}

/** The example must not reach the server, the store or the token that the reader's own settings name. */
function withoutOwnData(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const {
    COVIBE_BASE_URL: _url,
    COVIBE_MCP_TOKEN: _token,
    COVIBE_AGENT: _agent,
    MCP_DATABASE_PATH: _database,
    MCP_SERVER_PORT: _port,
    ...others
  } = env;
  return others;
}

async function showDemo(demo: Context, own: Context): Promise<void> {
  const isThere = isDemoHome(demo.home);
  if (!isThere) makeDemoHome(demo.home);
  try {
    const { url } = await awaitServer(demo.home, { env: demo.env, args: ["--port", "0"] });
    if (!isThere) await playScene(apiAt(url, demo), demo, (line) => note(demo, line));
    const signIn = (await findSignInLink(demo, url)) ?? url;
    answer(demo, { url, home: demo.home.dir, made: !isThere, sign_in: signIn }, () => [
      "",
      ...table([
        ["Deck", signIn],
        ["Data", `${demo.home.dir} (an example; your own is elsewhere)`],
        ["Remove", callOf(programLine(own.home, own.env), "demo --remove")],
      ]),
    ]);
    openDeck(demo, signIn);
  } catch (error) {
    // Half an example would only confuse; the next try begins anew.
    if (!isThere) await clear(demo);
    throw error;
  }
}

async function removeDemo(demo: Context): Promise<void> {
  const wasThere = await clear(demo);
  answer(demo, { removed: wasThere, home: demo.home.dir }, () => [
    wasThere ? "Removed the example team." : "There is no example team here.",
  ]);
}

async function clear(demo: Context): Promise<boolean> {
  if (!isDemoHome(demo.home)) return false;
  if (await findServer(demo.home)) await awaitStop(demo.home);
  return removeDemoHome(demo.home);
}
