import type { AnswerOf } from "../../../tools/calls.ts";
import { callTool } from "../../data/api.ts";

export type Template = AnswerOf<"template_list">["templates"][number];

export const emptyWorkflow = {
  name: "",
  templateId: "",
  variables: {} as Readonly<Record<string, string>>,
  request: "",
  /** One on each line, in the order of the plan. */
  tasks: "",
  repository: "",
};
type WorkflowForm = typeof emptyWorkflow;

export const isComplete = (form: WorkflowForm, template: Template | undefined): boolean =>
  form.name.trim() !== "" &&
  (template
    ? template.template.variables.every(({ name, required }) => !required || (form.variables[name] ?? "").trim() !== "")
    : form.request.trim() !== "");

/** The id of the new workflow. Without tasks it stays unplanned until somebody plans it. */
export async function createWorkflow(form: WorkflowForm, template: Template | undefined): Promise<string> {
  const place = form.repository === "" ? {} : { repository_path: form.repository };
  const name = form.name.trim();
  if (template) {
    // What is left empty takes the template's default.
    const variables = Object.fromEntries(Object.entries(form.variables).filter(([, value]) => value.trim() !== ""));
    const made = await callTool("template_apply", {
      template_id: template.id,
      workflow_name: name,
      variables,
      ...place,
    });
    return made.workflow_id;
  }
  const request = form.request.trim();
  const { id } = await callTool("workflow_create", { name, source_type: "prompt", source_content: request, ...place });
  const tasks = tasksIn(form.tasks);
  if (tasks.length > 0) {
    await callTool("workflow_set_plan", {
      id,
      plan: { summary: name, approach: request.slice(0, mostApproach), tasks },
    });
  }
  return id;
}

const mostApproach = 2_000;

/** Each line a task, one after the other; the same line twice is one task. */
export function tasksIn(text: string): { name: string; description: string; sequence: number }[] {
  const names = new Set(text.split("\n").flatMap((line) => line.trim() || []));
  return [...names].map((name, place) => ({ name: name.slice(0, 200), description: name, sequence: place + 1 }));
}
