import { expect, test } from "vitest";
import { sweepTokenUse } from "../../src/engine/keepers/sweeps.ts";
import { forEachStillStore, momentAt, traceOf, usedWell } from "./still-house.ts";

interface Created {
  id: string;
  token: string;
}

interface Tokens {
  tokens: { id: string; label: string; agent_type: string | null }[];
}

forEachStillStore("the tools for tokens", (open) => {
  test("[ID13] a token's text is answered when it is made and never again", async () => {
    const house = await open();
    house.clock.advance(4);
    let reply: Created = { id: "", token: "" };

    const trace = await traceOf(house, async () => {
      reply = await house.call("token_create", { label: " laptop ", agent_type: "codex" });
    });

    const { id } = reply;
    const { developerId } = house.owner;
    expect(reply).toEqual({
      id: expect.stringMatching(/^tok_[0-9a-z]{26}$/),
      token: expect.stringMatching(/^cdk_tok[0-9a-z]{26}_[\w-]{43}$/),
    });
    expect(trace).toEqual({
      work: [
        {
          kind: "token.created",
          announced: "token:created",
          subject: id,
          channels: [`token:${id}`],
          data: { developer_id: developerId, label: "laptop", agent_type: "codex" },
          developerId,
        },
      ],
      usage: [usedWell("token_create")],
    });
    expect(await house.call("token_list")).toEqual({
      tokens: [
        {
          id: house.owner.tokenId,
          developer: "ada",
          label: "this machine",
          agent_type: null,
          browser: false,
          created_at: momentAt(0),
          revoked_at: null,
          expires_at: null,
          last_used_at: null,
        },
        {
          id,
          developer: "ada",
          label: "laptop",
          agent_type: "codex",
          browser: false,
          created_at: momentAt(4),
          revoked_at: null,
          expires_at: null,
          last_used_at: null,
        },
      ],
    });
  });

  test("[ID26] a token that expires works until then, and is refused like any other that does not", async () => {
    const house = await open();
    const { token } = await house.call<{ token: string }>("token_create", { expires_in_days: 1 });
    expect(await house.house.authenticator.identify(token)).toMatchObject({ handle: "ada" });
    house.clock.advance(86_400_000);
    await expect(house.house.authenticator.identify(token)).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    const { tokens } = await house.call<Tokens>("token_list");
    expect(tokens.at(-1)).toMatchObject({ expires_at: momentAt(86_400_000), revoked_at: null });
    const expires_at = momentAt(2 * 86_400_000);
    const { id } = await house.call<{ id: string }>("token_create", { expires_at });
    const later = (await house.call<Tokens>("token_list")).tokens.find((one) => one.id === id);
    expect(later).toMatchObject({ expires_at });
    for (const wrong of [{ expires_at: momentAt(0) }, { expires_at, expires_in_days: 1 }]) {
      expect(await house.refusal("token_create", wrong)).toBe("INVALID_INPUT");
    }
  });

  test("[ID27] a list says when each token was last used", async () => {
    const house = await open();
    const { id, token } = await house.call<{ id: string; token: string }>("token_create", {});
    await sweepTokenUse(house.house);
    const usedAt = async () => (await house.call<Tokens>("token_list")).tokens.find((one) => one.id === id);
    expect(await usedAt()).toMatchObject({ last_used_at: null });
    house.clock.advance(5_000);
    await house.house.authenticator.identify(token);
    house.clock.advance(1);
    await sweepTokenUse(house.house);
    expect(await usedAt()).toMatchObject({ last_used_at: momentAt(5_000) });
  });

  test("[ID13] without a label a token is named after its kind, or unnamed, each by a name of its own", async () => {
    const house = await open();
    await house.call("token_create", { agent_type: "cursor" });
    house.clock.advance(1);
    for (const ask of [{}, { agent_type: "cursor" }, {}]) {
      await house.call("token_create", ask);
      house.clock.advance(1);
    }
    const { tokens } = await house.call<Tokens>("token_list");
    expect(tokens.map(({ label, agent_type }) => [label, agent_type])).toEqual([
      ["this machine", null],
      ["cursor", "cursor"],
      ["unnamed", null],
      ["cursor 2", "cursor"],
      ["unnamed 2", null],
    ]);
  });

  test.each([
    { agent_type: "emacs" },
    { label: " " },
    { label: "l".repeat(101) },
    { developer: "NOT A HANDLE" },
  ])("[ID13] %j does not describe a token", async (ask) => {
    const house = await open();
    expect(await house.refusal("token_create", ask)).toBe("INVALID_REQUEST");
  });

  test("[ID12] members make, see and revoke their own tokens and nobody else's", async () => {
    const house = await open();
    const { caller: bob } = await house.developer("bob");
    const own = await house.call<Created>("token_create", {}, bob);

    const events = await house.eventsOf(async () => {
      expect(await house.refusal("token_create", { developer: "ada" }, bob)).toBe("FORBIDDEN");
      expect(await house.refusal("token_revoke", { id: house.owner.tokenId }, bob)).toBe("FORBIDDEN");
      expect(await house.refusal("token_revoke", { id: "tok_nowhere" }, bob)).toBe("NOT_FOUND");
    });

    expect(events).toEqual([]);
    const { tokens } = await house.call<Tokens>("token_list", {}, bob);
    expect(tokens.map((token) => token.id).sort()).toEqual([bob.tokenId, own.id].sort());
    expect(await house.call("token_revoke", { id: own.id }, bob)).toEqual({ success: true });
    expect(await house.call("token_create", { developer: "bob" }, bob)).toMatchObject({ id: expect.any(String) });
  });

  test("[ID12] the owner makes, sees and revokes everybody's", async () => {
    const house = await open();
    const { caller: bob } = await house.developer("bob");
    const made = await house.call<Created>("token_create", { developer: "bob", label: "for you" });
    expect(await house.house.authenticator.identify(made.token)).toMatchObject({ handle: "bob", role: "member" });
    const trace = await traceOf(house, () => house.call("token_list"));
    expect(trace).toEqual({ work: [], usage: [usedWell("token_list")] });
    expect((await house.call<Tokens>("token_list")).tokens).toHaveLength(3);
    expect(await house.call("token_revoke", { id: bob.tokenId })).toEqual({ success: true });
  });

  test("[ID16] revoking is recorded once; a second time changes nothing", async () => {
    const house = await open();
    const { id } = await house.call<Created>("token_create");
    house.clock.advance(9);
    const revoke = () => house.call("token_revoke", { id });

    const trace = await traceOf(house, revoke);
    house.clock.advance(9);

    expect(trace).toEqual({
      work: [
        {
          kind: "token.revoked",
          announced: "token:revoked",
          subject: id,
          channels: [`token:${id}`],
          data: { developer_id: house.owner.developerId },
          developerId: house.owner.developerId,
        },
      ],
      usage: [usedWell("token_revoke")],
    });
    expect(await traceOf(house, revoke)).toEqual({ work: [], usage: [usedWell("token_revoke")] });
    const { tokens } = await house.call<Tokens>("token_list");
    expect(tokens).toContainEqual(expect.objectContaining({ id, revoked_at: momentAt(9) }));
  });
});
