import { expect, test } from "vitest";
import { forEachStillStore, traceOf } from "../domain/still-house.ts";
import { act, begin, refuse, turnedAway } from "./session-scene.ts";

/** Every operation that takes a session, with what else it needs. */
const operations: Readonly<Record<string, Record<string, unknown>>> = {
  heartbeat: {},
  snapshot: { dirty_files: ["src/a.ts"] },
  activity: { kind: "edit", summary: "Changed it." },
  publish_context: { title: "Paging", summary: "Begun." },
  get_context: {},
  revoke_context: { context_id: "ctx_any" },
  end: {},
};

forEachStillStore("sessions that are not one's own", (open) => {
  for (const [operation, args] of Object.entries(operations)) {
    test(`[SN4] covibe_session ${operation} refuses SESSION_NOT_FOUND, FORBIDDEN and INVALID_STATE, and links nothing`, async () => {
      const house = await open();
      const { caller: bob } = await house.developer("bob");
      const hers = await begin(house);
      const ended = await begin(house, bob);
      await act(house, "end", { session_id: ended }, bob);
      const plainAgent = await house.agent("Plain", bob);
      const trace = await traceOf(house, async () => {
        const answer = (session_id: string) => refuse(house, operation, { ...args, session_id }, bob);
        expect(await answer("ag_unknown")).toBe("SESSION_NOT_FOUND");
        expect(await answer(plainAgent)).toBe("SESSION_NOT_FOUND");
        expect(await answer(hers)).toBe("FORBIDDEN");
        if (operation !== "end") expect(await answer(ended)).toBe("INVALID_STATE");
      });
      const codes = ["SESSION_NOT_FOUND", "SESSION_NOT_FOUND", "FORBIDDEN"];
      if (operation !== "end") codes.push("INVALID_STATE");
      expect(trace).toEqual({ work: [], usage: codes.map((code) => turnedAway(operation, code)) });
      expect((await act(house, "heartbeat", { session_id: hers })).status).toBe("ok");
    });
  }

  test("[SN4] the sessions of one developer may be used from each of their tokens", async () => {
    const house = await open();
    const id = await begin(house);
    const { token } = await house.call<{ token: string }>("token_create", { agent_type: "codex" });
    const caller = await house.house.authenticator.identify(token);
    expect((await act(house, "heartbeat", { session_id: id }, caller)).status).toBe("ok");
  });
});
