import { expect, test } from "vitest";
import { planned } from "../workflow/work.ts";
import { forEachStillStore } from "./still-house.ts";

interface Answer {
  readonly items: readonly { readonly kind: string; readonly title: string; readonly excerpt: string }[];
}

forEachStillStore("what is found by its words", (open) => {
  test("[CX22] tasks are found by name, description and outcome, notes by their text, files by their path", async () => {
    const house = await open();
    const work = await planned(house, [
      {
        name: "Cache the price rules",
        description: "They are read for every line of a CART; 100% of them.",
        files_likely_affected: ["src/prices/rules.ts"],
      },
      { name: "Ändern der Preise", description: "Über Nacht." },
    ]);
    const task_id = work.task("Cache the price rules");
    await house.call("checkpoint_add", {
      task_id,
      type: "decision",
      summary: "Keep the carts in memory.",
      files_changed: ["src/carts/memory.ts"],
    });
    const found = async (text: string): Promise<string[]> =>
      ((await house.call("content_find", { text })) as unknown as Answer).items.map(
        ({ kind, title }) => `${kind} ${title}`,
      );
    expect(await found("cart EVERY")).toEqual(["task Cache the price rules"]);
    expect(await found("carts memory")).toEqual(["note Keep the carts in memory.", "file src/carts/memory.ts"]);
    expect(await found("prices/rules")).toEqual(["file src/prices/rules.ts"]);
    expect(await found("100% of")).toEqual(["task Cache the price rules"]);
    expect(await found("1_0%")).toEqual([]);
    expect(await found("ändern ÜBER")).toEqual(["task Ändern der Preise"]);
    expect(await found("nothing like it")).toEqual([]);
  });

  test("[CX22] messages are found by subject and text, however old, by those who sent or got them", async () => {
    const house = await open();
    const { caller } = await house.developer("bob");
    const [ada, ben] = [await house.agent("Ada"), await house.agent("Ben", caller)];
    const send = (body: unknown, subject?: string) =>
      house.call("message_send", { sender_id: ada, recipient_id: ben, message_type: "query", subject, body });
    await send('The "lantern" is broken.', "About the pier");
    for (let at = 0; at < 210; at += 1) await send(`Letter ${at}`);
    const found = async (text: string, who = house.owner) =>
      (await house.call<Answer>("content_find", { text }, who)).items.map(({ kind, title }) => `${kind} ${title}`);
    expect(await found('pier "LANTERN"')).toEqual(["message About the pier"]);
    expect(await found("lantern", caller)).toEqual(["message About the pier"]);
    expect(await found("lantern", (await house.developer("cy")).caller)).toEqual([]);
  });

  test("[CX22, CX21] what is private is found by nobody else", async () => {
    const house = await open();
    const { caller } = await house.developer("dana", { private: true });
    await planned(house, [{ name: "Hidden lantern" }], {}, caller);
    expect(await house.call("content_find", { text: "lantern" })).toEqual({ items: [] });
    expect(await house.call("content_find", { text: "lantern" }, caller)).toMatchObject({
      items: [{ kind: "task", title: "Hidden lantern" }],
    });
  });
});
