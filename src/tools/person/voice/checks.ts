import { z } from "zod";
import { Refusal } from "../../../contract/refusal.ts";
import { isAllowed } from "../../../domain/evidence/permit-operations.ts";
import type { ConfiguredChecks } from "../../../domain/evidence/port.ts";
import type { Look } from "../../../domain/port.ts";
import { normaliseRepositoryPath } from "../../../domain/project/operations.ts";
import type { Work } from "../../../domain/work.ts";

export const CheckedPath = z.string().min(1).max(4_096).describe("The repository's folder, or one of its worktrees.");

export const ChecksRecord = z.object({
  repository: z.string().describe("What the permission is bound to; all worktrees of a repository share it."),
  config_hash: z.string(),
  is_allowed: z.boolean(),
  problem: z.string().nullable().describe("Why the checks cannot be used."),
  checks: z.array(z.object({ name: z.string(), command: z.array(z.string()), timeout_seconds: z.number().int() })),
});

/** What a folder's repository wants to be run, as it stands there now. */
export async function findConfigured(path: string, look: Look): Promise<ConfiguredChecks> {
  const configured = await look.ports.evidence.readChecks(normaliseRepositoryPath(path), look.signal);
  if (configured) return configured;
  throw new Refusal("NOT_FOUND", "That folder configures no checks.", "Write .crewdeck/checks.json there first.");
}

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
