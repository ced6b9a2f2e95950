import { describe, expect, test } from "vitest";
import { freshLocation, openTestHouse } from "../../src/testing/house.ts";
import { forEachStillStore } from "./still-house.ts";

forEachStillStore("the first start", (open, kind) => {
  test("[ID1] founds a team, its owner from the git identity, and a token that works", async () => {
    const house = await open();
    const { teamId, developerId, tokenId } = house.owner;

    expect(house.owner).toEqual({
      teamId: expect.stringMatching(/^tm_/),
      developerId: expect.stringMatching(/^dev_/),
      handle: "ada",
      isPrivate: false,
      role: "owner",
      tokenId: expect.stringMatching(/^tok_/),
      agentType: null,
      instanceId: null,
    });
    const entries = await house.entries();
    expect(entries.map(({ kind, subject, data, developerId: by }) => ({ kind, subject, data, by }))).toEqual([
      { kind: "team.founded", subject: teamId, data: { name: "local" }, by: null },
      { kind: "developer.created", subject: developerId, data: { handle: "ada", role: "owner" }, by: null },
      {
        kind: "token.created",
        subject: tokenId,
        data: { developer_id: developerId, label: "this machine", agent_type: null },
        by: null,
      },
    ]);
    expect(await house.call("developer_list")).toMatchObject({
      developers: [{ name: "Ada Example", email: "ada@example.com", private: false, role: "owner" }],
    });
  });

  test("[ID21] a later start on a machine that has lost its token gives the owner a new one beside the old", async () => {
    const house = await open();
    await house.house.close();

    const again = await openTestHouse(kind, { location: house.location, hasLostToken: true });

    expect(again.owner).toEqual({ ...house.owner, tokenId: again.owner.tokenId });
    expect(again.owner.tokenId).not.toBe(house.owner.tokenId);
    expect(await again.house.authenticator.identify(house.ownerToken)).toEqual(house.owner);
    expect((await again.entries()).at(-1)).toMatchObject({
      kind: "token.created",
      data: { developer_id: house.owner.developerId, label: "this machine, again", agent_type: null },
    });
  });

  test("[ID1] a later start founds nothing, whoever starts it, and the first token still works", async () => {
    const house = await open();
    await house.house.close();

    const again = await openTestHouse(kind, {
      location: house.location,
      identity: { name: "Somebody Else", email: null },
    });

    expect(again.ownerToken).toBe("");
    expect(await again.house.authenticator.identify(house.ownerToken)).toEqual(house.owner);
    expect((await again.entries()).map((entry) => entry.kind)).toEqual([
      "team.founded",
      "developer.created",
      "token.created",
    ]);
  });
});

describe("nodes that start together on postgres", () => {
  test("[ID2] found one team, and only one of them is given its token", async () => {
    const location = freshLocation("postgres");
    const nodes = await Promise.all(
      ["Ada", "Bob", "Eve", "Kim"].map((name) =>
        openTestHouse("postgres", { location, identity: { name, email: null } }),
      ),
    );
    const tokens = nodes.map((node) => node.ownerToken).filter((token) => token !== "");
    expect(tokens).toHaveLength(1);
    const callers = await Promise.all(nodes.map((node) => node.house.authenticator.identify(tokens[0])));
    expect(new Set(callers.map((caller) => caller.teamId)).size).toBe(1);
    const counts = await Promise.all(
      ["team", "developer", "token"].map((table) =>
        nodes[0]?.house.store.read((db) => db.sql(`select count(*) as "count" from "${table}"`)),
      ),
    );
    expect(counts).toEqual([[{ count: 1 }], [{ count: 1 }], [{ count: 1 }]]);
  });
});
