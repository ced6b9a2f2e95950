import { beforeAll, expect, test } from "vitest";
import { BridgeProcess } from "../bridge/bridge-process.ts";
import { crewdeckJson, ensureBuilt, openHome, type TestHome } from "../cli/program.ts";
import type { Answer } from "./work-scene.ts";

beforeAll(ensureBuilt);

/** What two people type who mean the same, with no more than a title. */
const pairs: readonly (readonly [string, string])[] = [
  ["Add rate limiting to the login endpoint", "Throttle sign-in attempts"],
  ["Dark mode", "Support a night theme in the settings page"],
  ["Fix crash when the cart is empty", "Checkout blows up with no items"],
  ["Send a welcome email after sign-up", "Greet new users by mail"],
  ["Speed up the product search", "Search results take too long to load"],
  ["Export orders as CSV", "Let people download their orders in a spreadsheet"],
  ["Upgrade to Node 24", "Move the runtime to the latest LTS"],
  ["Write an onboarding guide", "Docs for people who are new to the project"],
  ["Cache the exchange rates", "Don't fetch currency conversions on every request"],
  ["Remove the old payment provider", "Delete the legacy billing integration"],
];

/** Two of the pairs are at the same new file. */
const files: Readonly<Record<number, string>> = { 0: "src/auth/limits.ts", 8: "src/rates/cache.ts" };

async function openAgent(home: TestHome, handle: string): Promise<(args: Record<string, unknown>) => Promise<Answer>> {
  await crewdeckJson(home, "developer", "create", handle);
  const { token } = await crewdeckJson<{ token: string }>(home, "token", "create", "--developer", handle);
  const bridge = new BridgeProcess({ ...home, env: { ...home.env, COVIBE_MCP_TOKEN: token } });
  await bridge.initialize();
  return async (args) => {
    const { result } = (await bridge.call("covibe_task", { repo: "acme/shop", ...args })) as {
      result?: { structuredContent?: Answer };
    };
    if (!result?.structuredContent) throw new Error(JSON.stringify(result));
    return result.structuredContent;
  };
}

test("[GA40, GA41] a newcomer types ten ordinary reworded pairs into an almost empty repository: each shows its partner", async () => {
  const home = openHome();
  const [ada, bob] = [await openAgent(home, "ada"), await openAgent(home, "bob")];
  for (const [at, [first, second]] of pairs.entries()) {
    const about = files[at] === undefined ? {} : { target_files: [files[at]] };
    const check = await ada({ operation: "check", title: first, ...about });
    const verdicts = (check.data["candidates"] as { id: string }[]).map(({ id }) => ({
      candidate_id: id,
      verdict: "different_scope",
      reason: "Read both: they are about different things.",
    }));
    const start = await ada({
      operation: "start",
      title: first,
      task_type: "feature",
      check_id: check.data["check_id"],
      ...(verdicts.length === 0 ? {} : { scope_verdict: verdicts }),
      ...about,
    });
    expect(start, first).toMatchObject({ status: "ok" });

    const answer = await bob({ operation: "check", title: second, ...about });
    const shown = [...(answer.data["matches"] as object[]), ...(answer.data["nearest"] as object[])];
    expect(shown, second).toContainEqual(
      expect.objectContaining({ id: start.data["task_id"], title: first, owner: "ada" }),
    );
    expect(answer.message, second).not.toContain("No other work");
    if (files[at] !== undefined) {
      expect(answer.message).toContain(files[at]);
      expect(answer.feedback.required_action).toContain(files[at]);
    }
  }
});
