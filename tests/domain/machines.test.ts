import { expect, test } from "vitest";
import { forEachStillStore, momentAt, traceOf } from "./still-house.ts";

const day = 86_400_000;

const client = (more: object = {}) => ({
  client: "codex",
  entry: "set_up",
  hooks: "set_up",
  instructions: "set_up",
  trust: "awaited",
  listing: "named",
  ...more,
});

const report = (more: object = {}) => ({
  machine: "laptop",
  repository: "acme/shop",
  companion_version: "0.1.0",
  clients: [client()],
  checks: [{ check: "clock", state: "off", count: 90 }],
  ...more,
});

interface Machines {
  readonly machines: readonly { machine: string; repository: string; reported_at: string; clients: unknown[] }[];
}

forEachStillStore("machines", (open) => {
  test("[DO8, DO9] the last report of each machine and repository is kept for its owner, and only news is recorded", async () => {
    const house = await open();
    const { caller: grace } = await house.developer("grace");
    const list = async (caller = house.owner) => (await house.call<Machines>("machine_list", {}, caller)).machines;

    const first = await traceOf(house, () => house.call("machine_report", report()));
    expect(first.work).toMatchObject([
      { kind: "machine.reported", subject: house.owner.developerId, data: { machine_name: "laptop" } },
    ]);
    house.clock.advance(60_000);
    const again = await traceOf(house, () => house.call("machine_report", report()));
    expect(again.work).toEqual([]);
    expect(await list()).toEqual([
      {
        machine: "laptop",
        repository: "acme/shop",
        companion_version: "0.1.0",
        reported_at: momentAt(60_000),
        clients: [client()],
        checks: [{ check: "clock", state: "off", count: 90 }],
      },
    ]);
    expect(await list(grace)).toEqual([]);

    // A watcher that can't find the program: what the client said stays, what a person did since is told.
    await house.call("machine_report", report({ clients: [client({ trust: "given", listing: null })], checks: [] }));
    expect((await list())[0]).toMatchObject({ clients: [client({ trust: "given" })], checks: [] });
    await house.call("machine_report", report({ clients: [client({ entry: "changed", listing: null })] }));
    expect((await list())[0]?.clients).toEqual([client({ entry: "changed", listing: null })]);

    for (const repository of ["/home/ada/shop", "~/shop", "C:\\shop", "two\nlines"]) {
      expect(await house.refusal("machine_report", report({ repository }))).toBe("INVALID_REQUEST");
    }

    house.clock.advance(29 * day);
    for (let at = 0; at < 200; at += 1) await house.call("machine_report", report({ repository: `acme/r${at}` }));
    const names = (await list()).map(({ repository }) => repository);
    expect([names.length, names.includes("acme/shop")]).toEqual([200, false]);
    house.clock.advance(31 * day);
    expect(await list()).toEqual([]);
  });
});
