import { expect, test } from "vitest";
import { planned } from "../workflow/work.ts";
import { forEachStillStore } from "./still-house.ts";

interface Answer {
  readonly found: readonly { readonly term: string; readonly candidates: readonly { id: string; title: string }[] }[];
}

forEachStillStore("records by short id", (open) => {
  test("[CX20] an id, its beginning and its name find the record", async () => {
    const house = await open();
    const ada = await house.agent("Ada's Claude");
    const bob = await house.agent("Bob's Codex");
    const common = commonStart(ada, bob);
    const { found } = (await house.call("record_find", {
      terms: [ada, ada.slice(0, common.length + 1), "ada's CLAUDE", common, "nobody"],
      kinds: ["agent"],
    })) as unknown as Answer;
    expect(found.map(({ candidates }) => candidates.map(({ id }) => id).sort())).toEqual([
      [ada],
      [ada],
      [ada],
      [ada, bob].sort(),
      [],
    ]);
    expect(found[0]?.candidates[0]).toEqual({
      id: ada,
      kind: "agent",
      title: "Ada's Claude",
      developer: "ada",
      client: expect.any(String),
    });
  });

  test("[CX20, TK33] a task's number finds it, beside a task that has the number as its title", async () => {
    const house = await open();
    const { task } = await planned(house, [{ name: "Fold" }, { name: "Bind" }]);
    const { tasks } = await house.call<{ tasks: { id: string; number: number }[] }>("task_list");
    const number = tasks.find(({ id }) => id === task("Bind"))?.number ?? 0;
    const named = await planned(house, [{ name: String(number) }]);
    const terms = [`#${number}`, String(number), "#0", `#${number} `, "12345678901"];
    const { found } = (await house.call("record_find", { terms, kinds: ["task"] })) as unknown as Answer;
    expect(found.map(({ candidates }) => candidates.map(({ id }) => id).sort())).toEqual([
      [task("Bind")],
      [task("Bind"), named.task(String(number))].sort(),
      [],
      [task("Bind")],
      [],
    ]);
  });

  test("[CX21] what is private is not found by others", async () => {
    const house = await open();
    const { caller } = await house.developer("dana", { private: true });
    const hidden = await house.agent("Secret", caller);
    const terms = ["secret", hidden, hidden.slice(0, 12)];
    const { found } = (await house.call("record_find", { terms })) as unknown as Answer;
    expect(found.every(({ candidates }) => candidates.every(({ id }) => id !== hidden))).toBe(true);
    const own = (await house.call("record_find", { terms }, caller)) as unknown as Answer;
    expect(own.found[1]?.candidates[0]?.title).toBe("Secret");
  });
});

const commonStart = (one: string, other: string): string => {
  let at = 0;
  while (one[at] === other[at]) at += 1;
  return one.slice(0, at);
};
