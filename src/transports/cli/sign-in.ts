import { setTimeout as pause } from "node:timers/promises";
import { readCredentials, writeCredentials } from "../../adapters/home.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { BodyAt, WrittenAt } from "../../tools/calls.ts";
import { type Api, apiAt } from "./api.ts";
import type { Context } from "./context.ts";

export type Codes = WrittenAt<"/api/setup/device">;
type Poll = WrittenAt<"/api/setup/device/poll">;

/** Asks a server for tokens, shows the code, waits for a person there and keeps what they gave. */
export async function signIn(
  context: Context,
  { origin, machine, agents }: { origin: string; machine: string; agents: readonly string[] },
  show: (codes: Codes) => void,
): Promise<readonly string[]> {
  // The server is a stranger until somebody has approved us there: no token of ours is sent to it.
  const api = apiAt(origin, context, () => undefined);
  // What is none of the server's words is the server's to refuse.
  const body = { machine_name: machine, agents } as BodyAt<"/api/setup/device">;
  const codes = await api.post("/api/setup/device", body);
  show(codes);
  const tokens = await waitForTokens(api, codes);
  const known = readCredentials(context.home);
  const given = { agents: { ...known.servers?.[origin]?.agents, ...tokens } };
  const servers = { ...known.servers, [origin]: given };
  writeCredentials(context.home, { ...known, agents: { ...known.agents, ...tokens }, servers });
  return Object.keys(tokens);
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
