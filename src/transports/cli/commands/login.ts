import { hostname } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { readOrigin } from "../../../adapters/base-url.ts";
import { readCredentials, writeCredentials } from "../../../adapters/home.ts";
import { agentTypes } from "../../../contract/caller.ts";
import { Refusal } from "../../../contract/refusal.ts";
import type { BodyAt, WrittenAt } from "../../../tools/calls.ts";
import { type Api, apiAt } from "../api.ts";
import { answer, type Context } from "../context.ts";
import type { Shell } from "../shell.ts";
import { cleanText } from "../text.ts";

type Codes = WrittenAt<"/api/setup/device">;
type Poll = WrittenAt<"/api/setup/device/poll">;

interface Options {
  readonly baseUrl?: string;
  readonly agents: string;
  readonly name: string;
}

export function addLogin(shell: Shell): void {
  const command = shell
    .add({
      name: "login",
      makesHome: true,
      summary: "Sign this machine in to a server; a person approves it there",
      examples: ["login --base-url https://deck.example", "login --base-url https://deck.example --agents codex"],
    })
    .option("--base-url <url>", "the server's address (default: $COVIBE_BASE_URL)")
    .option("--agents <list>", "clients that need a token", agentTypes.join(","))
    .option("--name <name>", "name of this machine, shown to the approver", hostname());
  shell.does<Options>(command, async (context, options) => {
    const address = options.baseUrl ?? context.env["COVIBE_BASE_URL"];
    if (!address) throw new Refusal("INVALID_REQUEST", "The server's address is missing.", "Pass it with --base-url.");
    const origin = readOrigin(address, "--base-url");
    // The server is a stranger until somebody has approved us there: no token of ours is sent to it.
    const api = apiAt(origin, context, () => undefined);
    // What is none of the server's words is the server's to refuse.
    const agents = options.agents.split(",").map((name) => name.trim()) as BodyAt<"/api/setup/device">["agents"];
    const codes = await api.post("/api/setup/device", { machine_name: options.name, agents });
    showCode(context, codes, origin);
    const tokens = await waitForTokens(api, codes);
    const known = readCredentials(context.home);
    writeCredentials(context.home, { ...known, agents: { ...known.agents, ...tokens } });
    const made = { agents: Object.keys(tokens), credentials: context.home.credentialsFile };
    answer(context, made, () => [`Signed in ${made.agents.join(", ")}; the tokens are in ${made.credentials}.`]);
    return undefined;
  });
}

function showCode(context: Context, { user_code, expires_in }: Codes, origin: string): void {
  const code = cleanText(user_code);
  const verification_uri = `${origin}/deck/device`;
  answer(context, { user_code, verification_uri, expires_in }, () => [
    `Your code: ${code}`,
    `Approve it at ${verification_uri}, or with: crewdeck device approve ${code}`,
  ]);
}

async function waitForTokens(api: Api, codes: Codes): Promise<Readonly<Record<string, string>>> {
  for (;;) {
    const { status, interval, tokens } = await poll(api, codes);
    if (status === "approved" && tokens) return tokens;
    if (status === "denied")
      throw new Refusal("FORBIDDEN", "This machine was denied.", "Ask the owner, then run `crewdeck login` again.");
    if (status !== "pending") {
      throw new Refusal("INVALID_STATE", `The code is ${status}.`, "Run `crewdeck login` again for a new one.");
    }
    await pause(interval * 1_000);
  }
}

/** A server that asks for more time gets it. */
async function poll(api: Api, { device_code, interval }: Codes): Promise<Poll> {
  try {
    return await api.post("/api/setup/device/poll", { device_code });
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== "RATE_LIMITED") throw error;
    const details = error.details["details"] as { retryAfterSeconds?: number } | undefined;
    return { status: "pending", interval: details?.retryAfterSeconds ?? interval };
  }
}
