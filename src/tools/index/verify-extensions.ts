import { z } from "zod";
import { Refusal } from "../../contract/refusal.ts";
import { locateRepository } from "../../domain/project/locate-operations.ts";
import { defineTool } from "../define.ts";
import { RepoPath } from "./references.ts";
import { Dir } from "./voice/downloads.ts";
import { Arch, Platform, Provider, trialWords } from "./voice/extension.ts";

const Outcome = z.object({ ok: z.boolean(), reason: z.string().nullable() });

export default defineTool({
  name: "verify_extensions",
  family: "index",
  title: "Verify an extension",
  summary: "Check that a downloaded SQLite vector extension loads and can store and find a vector.",
  guidance: "It's loaded in a process of its own. If it's missing, get it with download_extensions.",
  keywords: "test check load sqlite vec vector extension smoke works",
  effect: "read",
  callers: ["agent"],
  input: z.object({
    repoPath: RepoPath,
    provider: Provider,
    dir: Dir,
    path: z
      .string()
      .min(1)
      .max(4_096)
      .optional()
      .describe("The library, if not the provider's own; below Crewdeck's home."),
    platform: Platform,
    arch: Arch,
    ...trialWords,
    load: z.boolean().default(true).describe("Load it; false only looks whether it's there."),
  }),
  output: z.object({
    config: z.object({
      provider: z.string(),
      platform: z.string(),
      arch: z.string(),
      module: z.string(),
      table: z.string(),
      column: z.string(),
      encoding: z.string(),
      annMode: z.string().nullable(),
    }),
    path: z.string().nullable(),
    exists: z.boolean(),
    load: Outcome.extend({ attempted: z.boolean() }),
    smoke: Outcome.nullable().describe("One vector stored and found in memory; null if it wasn't tried."),
  }),
  refusals: ["CAPABILITY_MISSING", "FORBIDDEN", "INVALID_REQUEST"],
  examples: [{ title: "is it there", input: { load: false } }],
  async observe(input, look) {
    if (input.repoPath !== undefined) await locateRepository(look, input.repoPath);
    const { provider, dir, path, module, table, column, encoding, options } = input;
    const { host } = look.ports.artifact;
    const [platform, arch] = [input.platform ?? host.platform, input.arch ?? host.arch];
    const found = await look.ports.artifact.findExtension({ provider, dir, path, platform });
    if (!input.load) return { platform, arch, found, trial: undefined };
    if (found.path === null || !found.exists) throw missing();
    if (!found.isTrusted) throw untrusted();
    const ask = { path: found.path, module, table, column, encoding, options };
    return { platform, arch, found, trial: await look.ports.artifact.tryExtension(ask, look.signal) };
  },
  async handle(input, _work, { platform, arch, found, trial }) {
    const { provider, module, table, column, encoding, annMode } = input;
    const answer = {
      config: { provider, platform, arch, module, table, column, encoding, annMode: annMode ?? null },
      path: found.path,
      exists: found.exists,
      load: trial?.load ?? { attempted: false, ok: false, reason: null },
      smoke: trial?.smoke ?? null,
    };
    if (trial && !trial.smoke?.ok) throw broken(answer);
    return answer;
  },
});

const missing = (): Refusal =>
  new Refusal("CAPABILITY_MISSING", "The extension is not installed.", "Get it with download_extensions.");

/** Whoever can write into the folder must not get their library loaded. */
const untrusted = (): Refusal =>
  new Refusal(
    "FORBIDDEN",
    "The library is not what was installed there, so it is not loaded.",
    "Install it again with download_extensions and force.",
  );

const broken = (answer: object): Refusal =>
  new Refusal("CAPABILITY_MISSING", "The extension does not work here.", "See load and smoke for the reason.", {
    ...answer,
  });
