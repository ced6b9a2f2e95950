import { expect, test } from "vitest";
import { forEachStillStore, momentAt, traceOf, usedWell } from "./still-house.ts";

interface Page {
  repositories: { path: string }[];
  total: number;
}

forEachStillStore("repositories", (open) => {
  test("[RP1] a path that need not exist on this machine is registered once and answered with its id", async () => {
    const house = await open();
    let reply: Record<string, unknown> = {};

    const trace = await traceOf(house, async () => {
      reply = await house.call("repository_register", { path: "/srv/code/shop", name: " Shop " });
    });

    const id = String(reply["id"]);
    expect(reply).toEqual({ id: expect.stringMatching(/^rp_[0-9a-z]{26}$/) });
    expect(trace).toEqual({
      work: [
        {
          kind: "repository.registered",
          announced: "repository:registered",
          subject: id,
          channels: [`repository:${id}`],
          data: { name: "Shop" },
          developerId: house.owner.developerId,
        },
      ],
      usage: [usedWell("repository_register")],
    });
    expect(await traceOf(house, () => house.call("repository_register", { path: "/srv/code/shop" }))).toEqual({
      work: [],
      usage: [usedWell("repository_register")],
    });
    expect(await house.call("repository_register", { path: "/srv/code//shop/" })).toEqual({ id });
  });

  test("[RP1] a second developer who registers the path gets the same repository", async () => {
    const house = await open();
    const { caller: bob } = await house.developer("bob");
    const mine = await house.call("repository_register", { path: "/srv/code/shop" });
    expect(await house.call("repository_register", { path: "/srv/code/shop" }, bob)).toEqual(mine);
  });

  test("[RP2] without a name it bears its folder's", async () => {
    const house = await open();
    await house.call("repository_register", { path: "C:\\work\\shop" });
    expect(await house.call("repository_get", { path: "C:\\work\\shop" })).toMatchObject({ name: "shop" });
  });

  test("[RP2] a new name renames it, the same name changes nothing", async () => {
    const house = await open();
    const { id } = await house.call<{ id: string }>("repository_register", { path: "/srv/code/shop" });
    house.clock.advance(5);

    const rename = () => house.call("repository_register", { path: "/srv/code/shop", name: "The shop" });
    const trace = await traceOf(house, rename);

    expect(trace.work).toEqual([
      {
        kind: "repository.renamed",
        announced: "repository:renamed",
        subject: id,
        channels: [`repository:${id}`],
        data: { name: "The shop" },
        developerId: house.owner.developerId,
      },
    ]);
    expect(await house.eventsOf(rename)).toEqual([]);
    expect(await house.call("repository_get", { path: "/srv/code/shop" })).toEqual({
      id,
      path: "/srv/code/shop",
      name: "The shop",
      created_at: momentAt(0),
      updated_at: momentAt(5),
    });
  });

  test("[RP6] a repository is found under every spelling of its path, and reading leaves no trace", async () => {
    const house = await open();
    const { id } = await house.call<{ id: string }>("repository_register", { path: "/srv/code/shop" });
    let reply: unknown;

    const trace = await traceOf(house, async () => {
      reply = await house.call("repository_get", { path: "/srv/./code//shop/" });
    });

    expect(reply).toEqual({
      id,
      path: "/srv/code/shop",
      name: "shop",
      created_at: momentAt(0),
      updated_at: momentAt(0),
    });
    expect(trace).toEqual({ work: [], usage: [usedWell("repository_get")] });
  });

  test("[RP6] an unknown path is answered with null", async () => {
    const house = await open();
    await house.call("repository_register", { path: "/srv/code/shop" });
    expect(await house.call("repository_get", { path: "/srv/code/shop-evil" })).toBeNull();
    expect(await house.call("repository_get", { path: "/srv/code" })).toBeNull();
    expect(await house.call("repository_get", { path: "/SRV/code/shop" })).toBeNull();
  });

  test("[RP7] repositories are listed newest first, in pages, with their total", async () => {
    const house = await open();
    for (const name of ["a", "b", "c"]) {
      await house.call("repository_register", { path: `/srv/code/${name}` });
      house.clock.advance(1);
    }
    let reply: Page | undefined;
    const trace = await traceOf(house, async () => {
      reply = await house.call<Page>("repository_list");
    });
    expect(reply).toEqual({
      repositories: [
        await house.call("repository_get", { path: "/srv/code/c" }),
        await house.call("repository_get", { path: "/srv/code/b" }),
        await house.call("repository_get", { path: "/srv/code/a" }),
      ],
      total: 3,
    });
    expect(trace).toEqual({ work: [], usage: [usedWell("repository_list")] });
    const page = await house.call<Page>("repository_list", { limit: 1, offset: 1 });
    expect(page).toMatchObject({ repositories: [{ path: "/srv/code/b" }], total: 3 });
    expect(await house.call("repository_list", { offset: 3 })).toEqual({ repositories: [], total: 3 });
  });

  test("[RP7] a page holds 50 unless another limit is given", async () => {
    const house = await open();
    await Promise.all(
      Array.from({ length: 51 }, (_, place) => house.call("repository_register", { path: `/srv/${place}` })),
    );
    const page = await house.call<Page>("repository_list");
    expect([page.repositories.length, page.total]).toEqual([50, 51]);
    expect((await house.call<Page>("repository_list", { limit: 51 })).repositories).toHaveLength(51);
    expect(await house.refusal("repository_list", { limit: 501 })).toBe("INVALID_REQUEST");
    expect(await house.refusal("repository_list", { offset: -1 })).toBe("INVALID_REQUEST");
  });

  test("[RP8] of many who register a path at the same moment all get the one repository", async () => {
    const house = await open();
    const ask = { path: "/srv/code/shop" };
    let ids: unknown[] = [];
    const events = await house.eventsOf(async () => {
      ids = await Promise.all(Array.from({ length: 8 }, () => house.call("repository_register", ask)));
    });
    expect(new Set(ids.map((reply) => JSON.stringify(reply))).size).toBe(1);
    expect(events).toEqual(["repository.registered"]);
  });

  for (const { rule, when, ask } of [
    { rule: "RP9", when: "an empty path is refused", ask: { path: "" } },
    { rule: "RP9", when: "a path of 4,097 characters is refused", ask: { path: `/${"a".repeat(4_096)}` } },
    { rule: "RP9", when: "a blank name is refused", ask: { path: "/srv/a", name: " " } },
    { rule: "RP9", when: "a name of 201 characters is refused", ask: { path: "/srv/a", name: "n".repeat(201) } },
  ]) {
    test(`[${rule}] ${when}`, async () => {
      const house = await open();
      expect(await house.refusal("repository_register", ask)).toBe("INVALID_REQUEST");
    });
  }
});
