import { errors } from "../errors.ts";
import type { JsonSchema } from "../json-schema.ts";
import type { AnyTool } from "../tool.ts";
import { inputSchemaOf, outputSchemaOf } from "./schema.ts";

/** A tool's page. */
export function toMarkdown(tool: AnyTool): string {
  return page(tool.name, [
    [tool.summary, tool.guidance].filter(Boolean).join(" "),
    badgesOf(tool),
    section("Arguments", tableOf(inputSchemaOf(tool.input), { isInput: true })),
    section("Answer", answerOf(outputSchemaOf(tool.output))),
    section("Refusals", refusalsOf(tool)),
    ...Object.entries(tool.operations ?? {}).map(([name, operation]) => operationOf(name, operation)),
    section("Examples", tool.examples.map(({ title, input }) => `${sentence(title)}\n\n${json(input)}`).join("\n\n")),
  ]);
}

/** The page that leads to all others. */
export function toIndex(tools: readonly AnyTool[]): string {
  const families = [...new Set(tools.map((tool) => tool.family))];
  return page("Tools", [
    "Each tool over MCP, over HTTP as `POST /api/tools/NAME` and on the command line as `crewdeck call NAME`.",
    ...families.map((family) =>
      section(
        `The ${family} family`,
        table(
          ["tool", "effect", "what it does"],
          tools
            .filter((tool) => tool.family === family)
            .map((tool) => [`[${tool.name}](${tool.name}.md)`, tool.effect, tool.summary]),
        ),
      ),
    ),
  ]);
}

export const generatedNote = "<!-- Written by `npm run gen`; edit the definition instead. -->";

/** A page of non-empty parts. */
export const page = (title: string, parts: readonly string[]): string =>
  `${[`# ${title}`, generatedNote, ...parts.filter((part) => part !== "")].join("\n\n")}\n`;

export const section = (title: string, body: string): string => (body === "" ? "" : `## ${title}\n\n${body}`);

export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(" | ")} |`;
  return rows.length === 0 ? "" : [line(heads), line(heads.map(() => "---")), ...rows.map(line)].join("\n");
}

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");

const sentence = (title: string): string => `${title.slice(0, 1).toUpperCase()}${title.slice(1)}:`;

const json = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;

function badgesOf(tool: AnyTool): string {
  const effect = {
    read: "It reads and changes nothing.",
    create: "It adds something.",
    change: "It changes something.",
    destroy: "It destroys something for good.",
  }[tool.effect];
  const repeat =
    tool.effect !== "read" && tool.isRepeatable ? "Calling it twice with the same arguments is as good as once." : "";
  const callers = tool.callers.includes("agent") ? "" : `For callers of these kinds: ${tool.callers.join(", ")}.`;
  const aliases = tool.aliases?.length ? `Older names that still work: ${tool.aliases.join(", ")}.` : "";
  return [effect, repeat, callers, aliases].filter(Boolean).join(" ");
}

function operationOf(name: string, operation: AnyTool): string {
  return section(
    `Operation ${name}`,
    [operation.summary, tableOf(inputSchemaOf(operation.input), { isInput: true })].filter(Boolean).join("\n\n"),
  );
}

function answerOf(output: JsonSchema): string {
  const branches = output.anyOf ?? [output];
  const objects = branches.filter((branch) => branch.type === "object");
  const others = branches.filter((branch) => branch.type !== "object").map(typeText);
  return [...objects.map((branch) => tableOf(branch, { isInput: false })), ...others.map((text) => `Or \`${text}\`.`)]
    .filter(Boolean)
    .join("\n\n");
}

function refusalsOf(tool: AnyTool): string {
  return table(
    ["code", "meaning"],
    tool.refusals.map((code) => [`[${code}](../errors.md)`, errors[code].meaning]),
  );
}

/** One row for each key; the keys of objects and of objects in lists follow with their path. */
function tableOf(schema: JsonSchema, options: { isInput: boolean }): string {
  const rows = rowsOf(schema, "", options);
  return rows.length > 0 ? table(["name", "type", options.isInput ? "needed" : "present", "meaning"], rows) : "None.";
}

function rowsOf(schema: JsonSchema, prefix: string, options: { isInput: boolean }): string[][] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, child]) => {
    const isRequired = schema.required?.includes(key) ?? false;
    const need = isRequired ? (options.isInput ? "yes" : "always") : defaultText(child);
    const [inner, step] = child.type === "array" ? [child.items ?? {}, "[]"] : [child, ""];
    return [
      [`\`${prefix}${key}\``, typeText(child), need, child.description ?? ""],
      ...rowsOf(inner, `${prefix}${key}${step}.`, options),
    ];
  });
}

const defaultText = ({ default: preset }: JsonSchema): string =>
  preset === undefined ? "" : `default ${JSON.stringify(preset)}`;

/** A schema in a few words: `string, 1 to 100 characters`, `list of online | busy`. */
function typeText(schema: JsonSchema): string {
  if (schema.anyOf) return schema.anyOf.map(typeText).join(" or ");
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map(String).join(" | ");
  if (schema.type === "array") return `list of ${typeText(schema.items ?? {})}${rangeText(schema, "Items", "")}`;
  const range = schema.type === "string" ? rangeText(schema, "Length", " characters") : rangeText(schema, "imum", "");
  return `${schema.type ?? "anything"}${range}`;
}

function rangeText(schema: JsonSchema, bound: "Items" | "Length" | "imum", unit: string): string {
  const least = schema[`min${bound}`];
  const most = schema[`max${bound}`];
  if (least === undefined && most === undefined) return "";
  if (least === 1 && most === undefined && bound !== "imum") return ", not empty";
  if (least === undefined) return `, at most ${most}${unit}`;
  return most === undefined ? `, at least ${least}${unit}` : `, ${least} to ${most}${unit}`;
}
