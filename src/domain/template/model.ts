import { z } from "zod";
import type { DeveloperId, TemplateId } from "../../contract/ids.ts";

export const TemplateTask = z.object({
  name: z.string(),
  description: z.string(),
  sequence: z.number().int(),
  parallelGroup: z.string().nullable(),
  dependsOn: z.array(z.string()),
  complexity: z.enum(["low", "medium", "high"]).nullable(),
  files: z.array(z.string()),
});
export type TemplateTask = z.infer<typeof TemplateTask>;

export const Variable = z.object({
  name: z.string(),
  description: z.string(),
  required: z.boolean(),
  default: z.string().optional(),
});
export type Variable = z.infer<typeof Variable>;

export const Definition = z.object({ tasks: z.array(TemplateTask), variables: z.array(Variable) });
export type Definition = z.infer<typeof Definition>;

export interface Template {
  readonly id: TemplateId;
  readonly developerId: DeveloperId | null;
  readonly name: string;
  readonly description: string | null;
  readonly definition: Definition;
  readonly createdAt: number;
  readonly updatedAt: number;
}
