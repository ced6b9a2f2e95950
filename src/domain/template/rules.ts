import { nextStep } from "../../contract/next-step.ts";
import { Refusal } from "../../contract/refusal.ts";
import { type Definition, type Template, type TemplateTask, type Variable, WrittenTemplate } from "./model.ts";

/** `{{word}}`: a plain name between two braces, nothing that could be evaluated. */
const placeholder = /\{\{\s*([A-Za-z_][A-Za-z0-9_]{0,60})\s*\}\}/g;

/** The names a template uses, in the order they first appear. */
function namesIn(tasks: readonly TemplateTask[]): string[] {
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
        capabilities: [],
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
    throw new Refusal(
      "INVALID_INPUT",
      "A value was given for something the template does not ask for.",
      nextStep("seeVariables"),
      { unknown: unknown.slice(0, 20) },
    );
  }
  const values = new Map<string, string>();
  const missing: string[] = [];
  for (const name of used) {
    const variable = declared.get(name);
    // Only what was given counts, never what every object has: a template may well ask for a {{constructor}}.
    const value = Object.hasOwn(given, name) ? given[name] : variable?.default;
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

const longestName = 200;
const longestText = 20_000;

/** Puts the values in, in one pass: a value that looks like a placeholder stays as it is. */
export function fillIn(tasks: readonly TemplateTask[], values: ReadonlyMap<string, string>): TemplateTask[] {
  const fill = (text: string): string => text.replace(placeholder, (whole, name: string) => values.get(name) ?? whole);
  return tasks.map((task) => ({
    ...task,
    name: checkName(fill(task.name).trim()),
    description: checkText(fill(task.description)),
    dependsOn: task.dependsOn.map((name) => fill(name).trim()),
    files: task.files.map((file) => checkText(fill(file))),
  }));
}

/** Values make texts longer: what comes out is held to what a plan may say. */
function checkName(name: string): string {
  if (name.length > 0 && name.length <= longestName) return name;
  throw new Refusal(
    "INVALID_INPUT",
    `With these values a task's name has ${name.length} characters; 1 to ${longestName} are allowed.`,
    "Give a shorter value, and none that is empty where a name is made of it.",
  );
}

function checkText(text: string): string {
  if (text.length <= longestText) return text;
  throw new Refusal(
    "TOO_LARGE",
    `With these values a task's text has ${text.length} characters; at most ${longestText} are kept.`,
    "Give shorter values.",
  );
}

/** Declared twice, a variable would have two defaults. */
export function checkVariables(variables: readonly Variable[]): void {
  const names = variables.map((variable) => variable.name);
  const twice = names.filter((name, at) => names.indexOf(name) !== at);
  if (twice.length === 0) return;
  throw new Refusal("INVALID_INPUT", "A variable is declared twice.", "Declare each once.", { twice });
}
