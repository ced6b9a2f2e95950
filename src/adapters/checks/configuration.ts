import { createHash } from "node:crypto";
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { ConfiguredChecks } from "../../domain/evidence/port.ts";
import { readRegular } from "../regular-file.ts";
import { ownerOf } from "./owner.ts";

/** Where a repository says how it wants to be checked. */
const configurationFile = join(".crewdeck", "checks.json");
const largestFile = 64 * 1024;

const Argument = z
  .string()
  .max(4_096)
  .refine((text) => !text.includes("\0"), "holds a NUL");

const Configuration = z.strictObject({
  checks: z
    .array(
      z.strictObject({
        name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/, "is letters, digits, dots, dashes; at most 40"),
        command: z.array(Argument).min(1).max(100),
        timeoutSeconds: z.number().int().min(1).max(900).default(120),
      }),
    )
    .min(1)
    .max(10)
    .refine((checks) => new Set(checks.map(({ name }) => name)).size === checks.length, "two checks have one name"),
});

/** What a repository wants to be run, word for word from its own file; undefined where it has none. */
export async function readChecks(folder: string, signal: AbortSignal): Promise<ConfiguredChecks | undefined> {
  const bytes = await readConfiguration(folder);
  if (!bytes) return undefined;
  const repository = await ownerOf(folder, signal);
  const configHash = createHash("sha256").update(bytes).digest("hex");
  const parsed = Configuration.safeParse(parse(bytes));
  if (!parsed.success) return { repository, configHash, problem: z.prettifyError(parsed.error), checks: [] };
  const checks = parsed.data.checks.map(({ name, command, timeoutSeconds }) => ({
    name,
    command,
    timeoutMs: timeoutSeconds * 1_000,
  }));
  return { repository, configHash, problem: null, checks };
}

/** Links are not followed: a configuration that lies elsewhere is not the repository's own. */
async function readConfiguration(folder: string): Promise<Buffer | undefined> {
  const file = join(folder, configurationFile);
  const around = await lstat(join(folder, ".crewdeck")).catch(() => undefined);
  if (!around?.isDirectory()) return undefined;
  const bytes = await readRegular(file, largestFile);
  if (bytes !== undefined) return bytes;
  // One too large is no configuration, but it is there: it is told as unusable.
  const stats = await lstat(file).catch(() => undefined);
  return stats?.isFile() && stats.size > largestFile ? Buffer.from("too large") : undefined;
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    return "not JSON";
  }
}
