import { Refusal } from "../../contract/refusal.ts";
import { type Definition, type Template, type TemplateTask, type Variable, WrittenTemplate } from "./model.ts";

/** `{{word}}`: a plain name between two braces, nothing that could be evaluated. */
const placeholder = /\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}/g;

/** The names a template uses, in the order they first appear. */
export function namesIn(tasks: readonly TemplateTask[]): string[] {
  const names = new Set<string>();
  for (const text of tasks.flatMap((task) => [task.name, task.description, ...task.dependsOn, ...task.files])) {
    for (const [, name] of text.matchAll(placeholder)) if (name !== undefined) names.add(name);
  }
  return [...names];
}

/** A template from a file, or undefined when what is in it is none. Tasks without a number keep their order. */
export function readWritten(file: { id: string; name: string; content: unknown }): Template | undefined {
  const written = WrittenTemplate.safeParse(file.content);
  if (!written.success) return undefined;
  const { name, description, tasks, variables } = written.data;
  return {
    id: file.id as Template["id"],
    developerId: null,
    name: name ?? file.name,
    description: description ?? null,
    definition: {
      variables: variables.map(({ default: fallback, ...variable }) =>
        fallback === undefined ? variable : { ...variable, default: fallback },
      ),
      tasks: tasks.map((task, at) => ({
        name: task.name,
        description: task.description,
        sequence: task.sequence ?? at + 1,
        parallelGroup: task.parallel_group ?? null,
        dependsOn: task.depends_on,
        complexity: null,
        files: [],
      })),
    },
    createdAt: 0,
    updatedAt: 0,
  };
}

/** What a template asks for: what it declares, and what it only uses. */
export function listVariables({ tasks, variables }: Definition): Variable[] {
  const declared = new Set(variables.map((variable) => variable.name));
  const implied = namesIn(tasks).filter((name) => !declared.has(name));
  return [...variables, ...implied.map((name) => ({ name, description: "", required: true }))];
}

/** What each name stands for. A name that is used but not declared is required. */
export function resolveVariables(definition: Definition, given: Readonly<Record<string, string>>): Map<string, string> {
  const declared = new Map(definition.variables.map((variable) => [variable.name, variable]));
  const used = new Set([...namesIn(definition.tasks), ...declared.keys()]);
  const unknown = Object.keys(given).filter((name) => !used.has(name));
  if (unknown.length > 0) {
    throw new Refusal("INVALID_INPUT", `The template has no variable ${unknown.join(", ")}.`, undefined, { unknown });
  }
  const values = new Map<string, string>();
  const missing: string[] = [];
  for (const name of used) {
    const variable = declared.get(name);
    const value = given[name] ?? variable?.default;
    if (value !== undefined) values.set(name, value);
    else if (variable?.required === false) values.set(name, "");
    else missing.push(name);
  }
  if (missing.length > 0) {
    throw new Refusal(
      "MISSING_VARIABLES",
      `The template needs values for: ${missing.join(", ")}.`,
      "Call again with these variables.",
      { missing },
    );
  }
  return values;
}

/** Puts the values in, in one pass: a value that looks like a placeholder stays as it is. */
export function fillIn(tasks: readonly TemplateTask[], values: ReadonlyMap<string, string>): TemplateTask[] {
  const fill = (text: string): string => text.replace(placeholder, (whole, name: string) => values.get(name) ?? whole);
  return tasks.map((task) => ({
    ...task,
    name: fill(task.name),
    description: fill(task.description),
    dependsOn: task.dependsOn.map(fill),
    files: task.files.map(fill),
  }));
}
