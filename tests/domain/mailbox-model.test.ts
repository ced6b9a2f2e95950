import fc from "fast-check";
import { expect, test } from "vitest";
import { MailModel, shown } from "./mailbox-model.ts";
import { type Real, steps } from "./mailbox-steps.ts";
import { forEachStillStore } from "./still-house.ts";

/** Whoever registers under a name of before is the same again (AG20). */
let born = 0;

/** Two agents for each of two developers, new for every run: one house serves all runs. */
async function begin({ house, callers }: Real): Promise<MailModel> {
  const agents = [];
  for (const developer of [0, 1, 0, 1] as const) {
    house.clock.advance(1);
    born += 1;
    agents.push({ id: await house.agent(`Anyone ${born}`, callers[developer]), developer, isLive: true });
  }
  return new MailModel(agents);
}

/** Every mailbox holds exactly what the model says. */
async function finish(model: MailModel, { house, callers }: Real): Promise<void> {
  for (const agent of model.agents) {
    const { id, developer } = agent;
    for (const status of ["all", "archived"] as const) {
      const { messages } = await house.call("message_list", { agent_id: id, status, limit: 200 }, callers[developer]);
      expect(messages).toEqual(model.list(agent, { status, limit: 200 }).map(shown));
    }
  }
}

/** The agents go, so that no later run's broadcast finds them. */
const leave = (model: MailModel, { house, callers }: Real): Promise<unknown> =>
  Promise.all(model.agents.map(({ id, developer }) => house.call("agent_unregister", { id }, callers[developer])));

forEachStillStore("mailboxes against a model", (open) => {
  test("[MS24] any sequence of calls leaves what the model says", async () => {
    const house = await open();
    const real: Real = { house, callers: [house.owner, (await house.developer("bob")).caller] };
    await fc.assert(
      fc.asyncProperty(fc.commands(steps, { maxCommands: 30, size: "max" }), async (commands) => {
        const model = await begin(real);
        try {
          await fc.asyncModelRun(() => ({ model, real }), commands);
          await finish(model, real);
        } finally {
          await leave(model, real);
        }
      }),
      { numRuns: 200 },
    );
  });
});
