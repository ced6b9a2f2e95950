import { expect, test } from "vitest";
import { openTestHouse } from "../../src/testing/house.ts";
import { isAnybodys, prepareExamples } from "./examples.ts";
import { everyTool, parts } from "./parts.ts";

const examples = [...parts.tools, ...parts.person].flatMap((tool) =>
  tool.examples
    .filter(isAnybodys)
    .map((example) => ({ tool, name: tool.name, title: example.title, input: example.input })),
);

test.each(examples)("[CT5] $name works as its example says: $title", async ({ tool, input }) => {
  const house = await openTestHouse("sqlite");
  const fill = prepareExamples((name, args) => house.call(name, args));

  const answer = await house.call(tool.name, await fill(input));

  // Parsing drops what is not published, so equality means that nothing unpublished was answered.
  expect(tool.output.parse(answer)).toEqual(answer);
});

test("[CT5] every tool has an example, each with a title of its own", () => {
  for (const tool of everyTool) {
    const titles = tool.examples.map(({ title }) => title);
    expect(titles, tool.name).not.toEqual([]);
    expect(new Set(titles).size, tool.name).toBe(titles.length);
  }
});

test("[CT5] placeholders become records of this example alone", async () => {
  const house = await openTestHouse("sqlite");
  const fill = prepareExamples((name, args) => house.call(name, args));

  const first = await fill({ id: "$message", deep: { to: ["$agent", "$agent"] }, plain: 3, text: "as it is" });
  const second = await fill({ id: "$message" });

  expect(first).toEqual({
    id: expect.stringMatching(/^msg_/),
    deep: { to: [expect.stringMatching(/^ag_/), expect.stringMatching(/^ag_/)] },
    plain: 3,
    text: "as it is",
  });
  const { to } = first["deep"] as { to: string[] };
  expect(to[0]).toBe(to[1]);
  expect(second["id"]).not.toBe(first["id"]);
  await expect(fill({ id: "$nothing" })).rejects.toThrow("$nothing");
});
