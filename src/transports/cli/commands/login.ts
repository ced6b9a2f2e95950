import { hostname } from "node:os";
import { readOrigin } from "../../../adapters/base-url.ts";
import { agentTypes } from "../../../contract/caller.ts";
import { Refusal } from "../../../contract/refusal.ts";
import { answer, type Context } from "../context.ts";
import type { Shell } from "../shell.ts";
import { type Codes, signIn } from "../sign-in.ts";
import { cleanText } from "../text.ts";

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
    const asked = options.agents.split(",").map((name) => name.trim());
    const agents = await signIn(context, { origin, machine: options.name, agents: asked }, (codes) =>
      showCode(context, codes, origin),
    );
    const made = { agents, credentials: context.home.credentialsFile };
    answer(context, made, () => [`Signed in ${made.agents.join(", ")}; the tokens are in ${made.credentials}.`]);
    return undefined;
  });
}

export function showCode(context: Context, { user_code, expires_in }: Codes, origin: string): void {
  const code = cleanText(user_code);
  const verification_uri = `${origin}/deck/device`;
  answer(context, { user_code, verification_uri, expires_in }, () => [
    `Your code: ${code}`,
    `Approve it at ${verification_uri}, or with: crewdeck device approve ${code}`,
  ]);
}
