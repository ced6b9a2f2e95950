import { checkFits } from "../../contract/free-form.ts";
import type { TemplateId, WorkflowId } from "../../contract/ids.ts";
import { nextStep } from "../../contract/next-step.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { Db } from "../../storage/db.ts";
import type { Look } from "../port.ts";
import { listRepositories } from "../project/queries.ts";
import { listDependencyNames } from "../task/graph-queries.ts";
import { layOut } from "../task/operations.ts";
import { setWorkflowPlan } from "../task/plan-operations.ts";
import { listTasks } from "../task/queries.ts";
import type { Work } from "../work.ts";
import type { Workflow } from "../workflow/model.ts";
import { createWorkflow } from "../workflow/operations.ts";
import { getWorkflow } from "../workflow/queries.ts";
import { builtInTemplates } from "./built-in.ts";
import { templateEvent } from "./events.ts";
import type { Definition, Template, Variable } from "./model.ts";
import { checkVariables, fillIn, listVariables, readWritten, resolveVariables } from "./rules.ts";
import { findTemplate, findTemplateByName, insertTemplate, listTemplates } from "./store.ts";

/** A plan to use again, not an archive. */
const largestDefinition = 1024 * 1024;

/** Keeps a plan to use again: one that is written out, or that of a workflow. */
export async function createTemplate(
  work: Work,
  ask: { name: string; description: string | null; from: Definition | WorkflowId },
): Promise<Template> {
  const { name, description, from } = ask;
  const definition = typeof from === "string" ? await definitionFrom(work.db, from) : from;
  const isTaken = builtInTemplates.some((one) => one.name === name) || (await findTemplateByName(work.db, name));
  if (isTaken) {
    throw new Refusal("DUPLICATE_TEMPLATE", "A template of that name exists.", nextStep("renameTemplate"));
  }
  checkVariables(definition.variables);
  layOut(definition.tasks);
  checkFits("template", definition, largestDefinition);
  const template = {
    name,
    description,
    definition,
    id: work.newId("template"),
    developerId: work.caller.developerId,
    createdAt: work.now,
    updatedAt: work.now,
  };
  await insertTemplate(work.db, template);
  work.record(templateEvent.created(template.id, { name: template.name, tasks: definition.tasks.length }));
  return template;
}

/** The tasks of a workflow as a plan that can be used again. */
async function definitionFrom(db: Db, workflowId: WorkflowId): Promise<Definition> {
  await getWorkflow(db, workflowId);
  const tasks = await listTasks(db, workflowId, 10_000);
  if (tasks.length === 0) {
    throw new Refusal(
      "INVALID_STATE",
      "That workflow has no tasks yet.",
      "Set its plan first, then make the template.",
    );
  }
  const dependencies = await listDependencyNames(db, workflowId);
  const items = tasks.map(({ id, name, description, sequence, parallelGroup, complexity, files, capabilities }) => ({
    name,
    description,
    sequence,
    parallelGroup,
    complexity,
    files,
    capabilities,
    dependsOn: [...(dependencies.get(id) ?? [])],
  }));
  return { tasks: items, variables: [] };
}

/** Templates that lie in files: of every registered repository, and the user's own. */
export async function findTemplateFiles(look: Look): Promise<Template[]> {
  const repositories = await look.read((db) =>
    listRepositories(db, { limit: mostRepositories, offset: 0, except: [] }),
  );
  const paths = repositories.map((repository) => repository.path);
  const files = await look.ports.template.readFiles(paths, look.signal);
  return files.flatMap((file) => readWritten(file) ?? []);
}

const mostRepositories = 50;

/** Every template with all it asks for, declared or only used: files first, then stored ones, then ours. */
export async function listAllTemplates(
  db: Db,
  inFiles: readonly Template[],
): Promise<{ template: Template; variables: Variable[] }[]> {
  const templates = [...inFiles, ...(await listTemplates(db)), ...builtInTemplates];
  return templates.map((template) => ({ template, variables: listVariables(template.definition) }));
}

/** Makes a workflow from a template: created and planned in one step. */
export async function applyTemplate(
  work: Work,
  ask: {
    templateId: TemplateId;
    name: string;
    variables: Readonly<Record<string, string>>;
    repositoryPath: string | null;
    maxParallel: number;
    inFiles: readonly Template[];
  },
): Promise<Workflow> {
  const template =
    [...ask.inFiles, ...builtInTemplates].find((one) => one.id === ask.templateId) ??
    (await findTemplate(work.db, ask.templateId));
  if (!template) throw new Refusal("TEMPLATE_NOT_FOUND", "No template has that id.", nextStep("listTemplates"));
  const tasks = fillIn(template.definition.tasks, resolveVariables(template.definition, ask.variables));
  const workflow = await createWorkflow(work, {
    kind: "workflow",
    name: ask.name,
    sourceType: "template",
    sourceRef: template.id,
    sourceContent: template.description ?? template.name,
    repositoryPath: ask.repositoryPath,
    maxParallel: ask.maxParallel,
    makesWorktrees: false,
  });
  await setWorkflowPlan(work, workflow.id, {
    plan: {
      summary: template.description ?? template.name,
      approach: `From the template ${template.name}.`,
      risks: [],
      assumptions: [],
    },
    items: tasks,
  });
  return workflow;
}
