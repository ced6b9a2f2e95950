import { TemplateId } from "../../contract/ids.ts";
import type { Template, TemplateTask } from "./model.ts";

const task = (sequence: number, name: string, description: string, dependsOn: string[] = []): TemplateTask => ({
  sequence,
  name,
  description,
  dependsOn,
  parallelGroup: null,
  complexity: null,
  files: [],
  capabilities: [],
});

const template = (id: string, description: string, asks: string, tasks: TemplateTask[]): Template => ({
  id: TemplateId.parse(`builtin:${id}`),
  developerId: null,
  name: id,
  description,
  definition: { tasks, variables: [{ name: asks, description: `What the ${id} is about.`, required: true }] },
  createdAt: 0,
  updatedAt: 0,
});

/** Three plans that fit most work; there from the start. */
export const builtInTemplates: readonly Template[] = [
  template("feature", "Build something new, from what is wanted to what is merged.", "feature", [
    task(1, "Understand {{feature}}", "Read the request and the code it touches; write down what done means."),
    task(2, "Design {{feature}}", "Decide the smallest change that does it and note what was ruled out.", [
      "Understand {{feature}}",
    ]),
    { ...task(3, "Build {{feature}}", "Write the code.", ["Design {{feature}}"]), parallelGroup: "build" },
    {
      ...task(3, "Test {{feature}}", "Write tests that fail without the change.", ["Design {{feature}}"]),
      parallelGroup: "build",
    },
    task(4, "Finish {{feature}}", "Run all checks, update the documentation, clean up.", [
      "Build {{feature}}",
      "Test {{feature}}",
    ]),
  ]),
  template("bugfix", "Find a fault, mend it and keep it from coming back.", "bug", [
    task(1, "Reproduce {{bug}}", "Make it happen on purpose; write the shortest way down."),
    task(2, "Find the cause of {{bug}}", "Follow it to where it begins, not to where it shows.", ["Reproduce {{bug}}"]),
    task(3, "Mend {{bug}}", "Change as little as removes the cause, with a test that failed before.", [
      "Find the cause of {{bug}}",
    ]),
    task(4, "Look for more like {{bug}}", "Search for the same mistake elsewhere.", ["Find the cause of {{bug}}"]),
  ]),
  template("refactor", "Change the shape of code and not what it does.", "target", [
    task(1, "Pin down what {{target}} does", "Add tests until its behaviour is covered."),
    task(2, "Reshape {{target}}", "Move in small steps; all tests stay green after each.", [
      "Pin down what {{target}} does",
    ]),
    task(3, "Remove what {{target}} no longer needs", "Delete dead code, old names and compatibility leftovers.", [
      "Reshape {{target}}",
    ]),
  ]),
];
