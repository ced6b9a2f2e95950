import { z } from "zod";
import { listAllTemplates } from "../../domain/template/operations.ts";
import { defineTool } from "../define.ts";
import { TemplateRecord, templateRecord } from "./work-voice.ts";

export default defineTool({
  name: "template_list",
  family: "workflow",
  title: "List templates",
  summary: "See the plans that can be used again and what each asks for.",
  effect: "read",
  callers: ["agent"],
  input: z.object({}),
  output: z.object({ templates: z.array(TemplateRecord) }),
  refusals: [],
  examples: [{ title: "all of them", input: {} }],
  async handle(_input, work) {
    const templates = await listAllTemplates(work.db);
    return { templates: templates.map(({ template, variables }) => templateRecord(template, variables)) };
  },
});
