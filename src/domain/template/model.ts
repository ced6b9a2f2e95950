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
  capabilities: z.array(z.string()),
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

/** A template as people write it down: what template_create takes, in a file. */
export const WrittenTemplate = z.object({
  name: z.string().trim().min(1).max(200).optional(),
  description: z.string().max(5_000).optional(),
  tasks: z
    .array(
      z.object({
        name: z.string().trim().min(1).max(200),
        description: z.string().max(20_000).default(""),
        sequence: z.number().int().min(0).max(1_000_000).optional(),
        parallel_group: z.string().trim().min(1).max(100).optional(),
        depends_on: z.array(z.string()).max(1_000).default([]),
      }),
    )
    .min(1)
    .max(1_000),
  variables: z
    .array(
      z.object({
        name: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,60}$/),
        description: z.string().max(1_000).default(""),
        required: z.boolean().default(true),
        default: z.string().max(5_000).optional(),
      }),
    )
    .max(100)
    .default([]),
});

export interface Template {
  readonly id: TemplateId;
  readonly developerId: DeveloperId | null;
  readonly name: string;
  readonly description: string | null;
  readonly definition: Definition;
  readonly createdAt: number;
  readonly updatedAt: number;
}
