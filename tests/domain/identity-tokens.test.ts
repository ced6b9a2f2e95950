import { expect, test } from "vitest";
import { Refusal } from "../../src/contract/refusal.ts";
import type { TestHouse } from "../../src/testing/house.ts";
import { forEachStillStore } from "./still-house.ts";

interface Created {
  id: string;
  token: string;
}

/** What somebody with this token is told: who they are, or the refusal as it leaves the house. */
async function answerTo(house: TestHouse, token: string | undefined): Promise<unknown> {
  try {
    return (await house.house.authenticator.identify(token)).handle;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { code, message, hint, details } = error;
    return { code, message, hint, details };
  }
}

const turnedAway = {
  code: "UNAUTHORIZED",
  message: "The call carries no valid token.",
  hint: undefined,
  details: {},
};

/** The same text with another character at one place, of the same kind so that its form still fits. */
const changedAt = (text: string, place: number): string =>
  `${text.slice(0, place)}${text[place] === "a" ? "b" : "a"}${text.slice(place + 1)}`;

forEachStillStore("tokens", (open) => {
  test("[ID7] whatever is wrong with a token, the answer is the same", async () => {
    const house = await open();
    const { id, token } = await house.call<Created>("token_create");
    const revoked = await house.call<Created>("token_create");
    await house.call("token_revoke", { id: revoked.id });
    const secret = token.slice(-43);
    const wrong: (string | undefined)[] = [
      undefined,
      "",
      " ",
      "cdk_",
      id,
      secret,
      token.slice(0, -1),
      token.slice(1),
      `${token}a`,
      `${token}\n`,
      ` ${token}`,
      `${token}\0`,
      token.toUpperCase(),
      `Bearer ${token}`,
      `${token.slice(0, -43)}${house.ownerToken.slice(-43)}`,
      `cdk_tok${"0".repeat(26)}_${secret}`,
      revoked.token,
      "' or 1=1 --",
      "x".repeat(100_000),
    ];
    for (const text of wrong) expect(await answerTo(house, text), JSON.stringify(text)).toEqual(turnedAway);
    for (let place = 0; place < token.length; place += 1) {
      expect(await answerTo(house, changedAt(token, place))).toEqual(turnedAway);
    }
    expect(await answerTo(house, token)).toBe("ada");
  });

  test("[ID8] a revoked token fails at once, although it was used a moment before", async () => {
    const house = await open();
    const { id, token } = await house.call<Created>("token_create");
    expect(await answerTo(house, token)).toBe("ada");
    await house.call("token_revoke", { id });
    expect(await answerTo(house, token)).toEqual(turnedAway);
  });

  test("[ID8] nor do those who ask while it is revoked keep it alive", async () => {
    const house = await open();
    for (let round = 0; round < 15; round += 1) {
      const { id, token } = await house.call<Created>("token_create");
      const crowd = Array.from({ length: 5 }, () => answerTo(house, token));
      await house.call("token_revoke", { id });
      expect(await answerTo(house, token)).toEqual(turnedAway);
      await Promise.all(crowd);
      expect(await answerTo(house, token)).toEqual(turnedAway);
    }
  });

  test("[ID8] the other tokens of the same developer live on", async () => {
    const house = await open();
    const { id } = await house.call<Created>("token_create");
    await house.call("token_revoke", { id });
    expect(await answerTo(house, house.ownerToken)).toBe("ada");
  });

  test("[ID9] a typed token says which kind of agent it speaks for", async () => {
    const house = await open();
    const { token } = await house.call<Created>("token_create", { agent_type: "codex" });
    expect(await house.house.authenticator.identify(token)).toMatchObject({
      developerId: house.owner.developerId,
      role: "owner",
      agentType: "codex",
    });
  });

  test.each([
    "developer_create",
    "developer_list",
    "developer_update",
    "token_create",
    "token_list",
    "token_revoke",
  ])("[ID9] a typed token may not call %s, not even the owner's", async (tool) => {
    const house = await open();
    const { token } = await house.call<Created>("token_create", { agent_type: "claude-code" });
    const agent = await house.house.authenticator.identify(token);
    const args = { handle: "eve", id: house.owner.tokenId };
    const events = await house.eventsOf(async () => {
      expect(await house.refusal(tool, args, agent)).toBe("FORBIDDEN");
      expect(await house.refusal(tool, {}, agent)).toBe("FORBIDDEN");
    });
    expect(events).toEqual([]);
  });
});
