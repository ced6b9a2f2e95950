import { z } from "zod";
import { findTemplateFiles, listAllTemplates } from "../../domain/template/operations.ts";
import { defineTool } from "../define.ts";
import { TemplateRecord, templateRecord } from "./voice/work.ts";

export default defineTool({
  name: "template_list",
  family: "workflow",
  title: "List templates",
  summary: "List templates and the variables each needs.",
  guidance: "Repositories keep theirs as JSON or YAML files in .crewdeck/templates.",
  keywords: "available templates which",
  effect: "read",
  callers: ["agent"],
  input: z.object({}),
  output: z.object({ templates: z.array(TemplateRecord) }),
  refusals: [],
  examples: [{ title: "all of them", input: {} }],
  observe: (_input, look) => findTemplateFiles(look),
  async handle(_input, work, inFiles) {
    const templates = await listAllTemplates(work.db, inFiles);
    return { templates: templates.map(({ template, variables }) => templateRecord(template, variables)) };
  },
});
