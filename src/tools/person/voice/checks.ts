import { z } from "zod";
import { isAllowed } from "../../../domain/evidence/permit-queries.ts";
import type { ConfiguredChecks } from "../../../domain/evidence/port.ts";
import type { Work } from "../../../domain/work.ts";

export const CheckedPath = z.string().min(1).max(4_096).describe("The repository's folder, or one of its worktrees.");

export const ChecksRecord = z.object({
  repository: z.string().describe("What the permission is bound to; all worktrees of a repository share it."),
  config_hash: z.string(),
  is_allowed: z.boolean(),
  problem: z.string().nullable().describe("Why the checks cannot be used."),
  checks: z.array(z.object({ name: z.string(), command: z.array(z.string()), timeout_seconds: z.number().int() })),
});

export const checksRecord = async (
  configured: ConfiguredChecks,
  work: Pick<Work, "db" | "place">,
): Promise<z.input<typeof ChecksRecord>> => ({
  repository: configured.repository,
  config_hash: configured.configHash,
  is_allowed: await isAllowed(work, configured),
  problem: configured.problem,
  checks: configured.checks.map(({ name, command, timeoutMs }) => ({
    name,
    command: [...command],
    timeout_seconds: timeoutMs / 1_000,
  })),
});
