import { expect, test } from "vitest";
import { z } from "zod";
import { errorCodes } from "../../src/contract/errors.ts";
import { knownEvents } from "../../src/contract/event.ts";
import { toIndex, toMarkdown } from "../../src/contract/projections/markdown.ts";
import { errorsPage, eventsPage } from "../../src/contract/projections/pages.ts";
import { inputSchemaOf } from "../../src/contract/projections/schema.ts";
import type { AnyTool } from "../../src/contract/tool.ts";
import { parts, toolNamed } from "./parts.ts";

const note: AnyTool = {
  ...toolNamed("agent_get"),
  name: "note_keep",
  aliases: ["note_save"],
  summary: "Keep a note.",
  guidance: "Use it sparingly.",
  effect: "create",
  isRepeatable: true,
  callers: ["person"],
  input: z.strictObject({
    text: z.string().min(1).max(500).describe("The words, or a|b."),
    kind: z.enum(["idea", "fact"]).default("fact").describe("What it is."),
    tags: z.array(z.string().min(1)).max(3).optional().describe("To find it."),
    about: z
      .strictObject({ path: z.string().describe("A file.") })
      .optional()
      .describe("What it is about."),
    limit: z.number().int().min(1).optional().describe("At most."),
  }),
  output: z.object({ id: z.string(), by: z.string().nullable() }).nullable(),
  refusals: ["TOO_LARGE"],
  examples: [{ title: "an idea", input: { text: "Cache it.", kind: "idea" } }],
};

test("[CT17] a page tells everything the definition does", () => {
  expect(toMarkdown(note)).toBe(`# note_keep

<!-- Written by \`npm run gen\`; edit the definition instead. -->

Keep a note. Use it sparingly.

It adds something. Calling it twice with the same arguments is as good as once. For callers of these kinds: person. Older names that still work: note_save.

## Arguments

| name | type | needed | meaning |
| --- | --- | --- | --- |
| \`text\` | string, 1 to 500 characters | yes | The words, or a\\|b. |
| \`kind\` | idea \\| fact | default "fact" | What it is. |
| \`tags\` | list of string, not empty, at most 3 |  | To find it. |
| \`about\` | object |  | What it is about. |
| \`about.path\` | string | yes | A file. |
| \`limit\` | integer, at least 1 |  | At most. |

## Answer

| name | type | present | meaning |
| --- | --- | --- | --- |
| \`id\` | string | always |  |
| \`by\` | string or null | always |  |

Or \`null\`.

## Refusals

| code | meaning |
| --- | --- |
| [TOO_LARGE](../errors.md) | The content is larger than what is kept. |

## Examples

An idea:

\`\`\`json
{
  "text": "Cache it.",
  "kind": "idea"
}
\`\`\`
`);
});

test.each(parts.tools.map((tool) => ({ name: tool.name, tool })))("[CT17] the page of $name names every argument", ({
  tool,
}) => {
  const text = toMarkdown(tool);
  for (const key of Object.keys(inputSchemaOf(tool.input).properties)) expect(text).toContain(`| \`${key}\` |`);
  for (const code of tool.refusals) expect(text).toContain(`[${code}]`);
});

test("[CT17] the operations of a door have sections of their own", () => {
  const door = { ...note, operations: { keep: note } };
  expect(toMarkdown(door)).toContain("## Operation keep\n\nKeep a note.\n\n| name |");
});

test("[CT17] the index leads to every tool once", () => {
  const links = [...toIndex(parts.tools).matchAll(/\]\((\w+)\.md\)/g)].map(([, name]) => name);
  expect(links).toEqual(parts.tools.map((tool) => tool.name));
});

test("[CT17] the pages of errors and events name every code and every kind", () => {
  const errorsText = errorsPage();
  const eventsText = eventsPage();
  for (const code of errorCodes) expect(errorsText).toContain(`| ${code} |`);
  for (const [kind, { announced }] of knownEvents) expect(eventsText).toContain(`| ${kind} | ${announced} |`);
});
