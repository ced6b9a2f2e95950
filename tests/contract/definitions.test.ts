import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { errorCodes } from "../../src/contract/errors.ts";
import type { JsonSchema } from "../../src/contract/json-schema.ts";
import { descriptionOf } from "../../src/contract/projections/mcp.ts";
import { inputSchemaOf } from "../../src/contract/projections/schema.ts";
import { catalog, metaTools, personTools } from "../../src/tools/catalog.ts";
import { coreTools } from "../../src/tools/surfaces.ts";
import { everyTool } from "./parts.ts";

const toolsFolder = join(import.meta.dirname, "../../src/tools");

/** The files that define a tool or an operation of one, as folder/file. */
const definingFiles = readdirSync(toolsFolder, { recursive: true, encoding: "utf8" })
  .filter((file) => file.includes("/") && statSync(join(toolsFolder, file)).isFile())
  .filter((file) => /define(Tool|Door)\(/.test(readFileSync(join(toolsFolder, file), "utf8")));

const kebab = (name: string): string => name.replaceAll("_", "-");

/** What people use lies in the folder of its noun. */
const placeOf = (name: string): string | undefined =>
  definingFiles.find((file) => file.startsWith("person/") && file.split("/")[2] === `${kebab(name)}.ts`);

/** Where the operations of a door lie. */
const folderOf = (tool: { family: string; name: string }): string =>
  `${tool.family}/${kebab(tool.name.replace(/^covibe_/, ""))}`;

test("[CT1] every name is unique, aliases included", () => {
  const names = everyTool.flatMap((tool) => [tool.name, ...(tool.aliases ?? [])]);
  expect(names.filter((name, place) => names.indexOf(name) !== place)).toEqual([]);
});

test("[CT1] every tool lies in the file of its name, and every file that defines one is in the catalogue", () => {
  const expected = [
    ...catalog.map((tool) => `${tool.family}/${kebab(tool.name)}.ts`),
    ...personTools.map((tool) => placeOf(tool.name)),
    ...metaTools.map((tool) => `meta/${kebab(tool.name)}.ts`),
    ...catalog.flatMap((tool) =>
      Object.keys(tool.operations ?? {}).map((operation) => `${folderOf(tool)}/${kebab(operation)}.ts`),
    ),
  ];
  expect([...definingFiles].sort()).toEqual(expected.sort());
});

test("[CT1] only published families are in the catalogue, and the core names tools of it", () => {
  expect(catalog.filter((tool) => tool.family === "person").map((tool) => tool.name)).toEqual([]);
  const names = catalog.map((tool) => tool.name);
  expect(coreTools.filter((name) => !names.includes(name))).toEqual([]);
});

describe.each(everyTool.map((tool) => ({ name: tool.name, tool })))("$name", ({ tool }) => {
  test("[CT1] has a name that every client accepts", () => {
    expect(tool.name).toMatch(/^[a-z][a-z0-9_]{2,40}$/);
  });

  test("[CT2] says what it does in one short sentence and everything in 2 KB", () => {
    expect(tool.title.length).toBeLessThanOrEqual(60);
    expect(tool.summary.length).toBeLessThanOrEqual(160);
    expect(tool.summary).toMatch(/^[A-Z].*\.$/);
    expect(Buffer.byteLength(descriptionOf(tool))).toBeLessThanOrEqual(2_048);
    if (tool.guidance !== undefined) expect(tool.guidance).toMatch(/^[A-Z].*\.$/s);
  });

  test("[CT3] describes every argument and closes every object", () => {
    const input = inputSchemaOf(tool.input);
    const undescribed = Object.entries(input.properties).filter(([, schema]) => !schema.description);
    expect(undescribed.map(([key]) => key)).toEqual([]);
    expect(openObjects(input, "input")).toEqual([]);
  });

  test.each(tool.examples)("[CT4] has an input that its example fits: $title", ({ input }) => {
    const filled = JSON.parse(JSON.stringify(input).replaceAll(/"\$\w+"/g, '"example"'));
    expect(tool.input.safeParse(filled).error).toBeUndefined();
  });

  test("[CT6] declares only refusals that are registered, each once", () => {
    expect(tool.refusals.filter((code) => !errorCodes.includes(code))).toEqual([]);
    expect(new Set(tool.refusals).size).toBe(tool.refusals.length);
  });
});

/** Objects with named keys that would silently drop others. */
function openObjects(schema: JsonSchema, at: string): string[] {
  const children = [
    ...Object.entries(schema.properties ?? {}),
    ...(schema.items ? [["[]", schema.items] as const] : []),
    ...(schema.anyOf ?? []).map((branch, place) => [`anyOf ${place}`, branch] as const),
  ];
  const isOpen = schema.properties !== undefined && schema.additionalProperties !== false;
  return [...(isOpen ? [at] : []), ...children.flatMap(([key, child]) => openObjects(child, `${at} ${key}`))];
}
