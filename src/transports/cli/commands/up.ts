import { baseUrlFrom } from "../../../adapters/base-url.ts";
import { hasDesktop, openInBrowser } from "../../../adapters/browser.ts";
import { callOf, type ProgramLine, programLine } from "../../../adapters/program-line.ts";
import { findServer } from "../../../adapters/server-process.ts";
import { apiAt } from "../api.ts";
import { answer, type Context } from "../context.ts";
import { awaitServer } from "../progress.ts";
import type { Shell } from "../shell.ts";
import { table } from "../table.ts";

export function addUp(shell: Shell): void {
  const command = shell.add({
    name: "up",
    makesHome: true,
    summary: "Start the server if needed and open the deck",
    examples: ["", "up", "up --home ./data --json"],
  });
  shell.does(command, async (context) => {
    const remote = baseUrlFrom(context.env);
    const running = remote === undefined ? await findServer(context.home) : undefined;
    const { url, pid } =
      remote === undefined
        ? (running ?? (await awaitServer(context.home, { env: context.env })))
        : { url: remote, pid: null };
    const signIn = await findSignInLink(context, url);
    const isStarted = remote === undefined && running === undefined;
    const value = { url, pid, home: context.home.dir, started: isStarted, sign_in: signIn ?? null };
    answer(context, value, () => [
      `Crewdeck is running at ${url}`,
      "",
      ...nextSteps(signIn ?? url, programLine(context.home, context.env)),
    ]);
    openDeck(context, signIn ?? url);
    return undefined;
  });
}

const nextSteps = (deck: string, program: ProgramLine): string[] =>
  table([
    ["Deck", deck],
    ["Agents", `add this MCP server command: ${callOf(program, "mcp")}`],
    ["Status", callOf(program, "status")],
    ["", callOf(program, "log --watch")],
    ["Stop", callOf(program, "stop")],
  ]);

/** A link that signs a browser in once. Without a person's token there is none; the deck then asks for a token. */
export async function findSignInLink(context: Context, url: string): Promise<string | undefined> {
  try {
    return (await apiAt(url, context).post("/api/login-link", {})).url;
  } catch {
    return undefined;
  }
}

/** Only where somebody looks: never from a script, never without a screen. */
export function openDeck(context: Context, link: string): void {
  if (!context.isJson && process.stdout.isTTY && hasDesktop(context.env)) openInBrowser(link, context.home);
}
