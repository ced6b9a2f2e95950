import { z } from "zod";
import type { ModelPrice } from "../contract/price.ts";
import { Refusal } from "../contract/refusal.ts";
import {
  type AskedOverlap,
  defaultVaultEntries,
  type OverlapFigure,
  type ThresholdChange,
  type ThresholdKey,
  thresholdRanges,
} from "../contract/threshold.ts";
import type { ReviewLimits } from "../domain/review/port.ts";
import { type Home, writeSecretText } from "./home.ts";
import { type AgentProgram, presets, takesAllowed } from "./launcher/programs.ts";
import { readOwnFile } from "./regular-file.ts";

const Dollars = z.number().min(0).max(1_000);

const Price = z.strictObject({
  input: Dollars,
  output: Dollars,
  cacheRead: Dollars.optional(),
  cacheCreation: Dollars.optional(),
  longCacheCreation: Dollars.optional(),
});

const DownloadFile = z.strictObject({ url: z.url().max(2_048), sha256: z.hex().length(64) });

/** Says the range with every no: whoever edits a file by hand wants to know what to write instead. */
function figure(key: ThresholdKey) {
  const { least, most, isWhole } = thresholdRanges[key];
  const wanted = `${key} is a ${isWhole ? "whole number" : "number"} from ${least} to ${most}. Change it, or take it out to have the default.`;
  const number = z.number(wanted).min(least, wanted).max(most, wanted);
  return isWhole ? number.int(wanted) : number;
}

/** A word of a command line, or a variable's value, ends at a NUL. */
const isPlain = (text: string): boolean => !text.includes("\0");
const plainly = "no NUL";

const overlapFigures = {
  warnFloor: figure("overlap.warnFloor").optional(),
  escalateThreshold: figure("overlap.escalateThreshold").optional(),
  escalationCap: figure("overlap.escalationCap").optional(),
  maxCandidates: figure("overlap.maxCandidates").optional(),
  maxMatches: figure("overlap.maxMatches").optional(),
} satisfies Record<OverlapFigure, z.ZodType>;

const AgentEntry = z.strictObject({
  /** Left out for a program that we know: it is started as we do, in this mode and with these variables. */
  command: z.array(z.string().min(1).max(4_000).refine(isPlain, plainly)).min(1).max(100).optional(),
  prompt: z.enum(["stdin", "file", "argument"]).default("file"),
  mode: z.enum(["tmux", "headless"]).optional(),
  env: z
    .record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "the name of a variable"), z.string().refine(isPlain, plainly))
    .default({}),
  /** Commands that it may run without asking, beside what is needed to read and to commit; ` *` stands for more words. */
  allow: z
    .array(
      z
        .string()
        .max(200)
        .regex(
          /^[\w./:@=+-]+(?: [\w./:@=+-]+)*(?: \*)?$/,
          "plain words, such as npm test, with * as the last one at most",
        ),
    )
    .max(50)
    .optional(),
});

const mostDollars = 1_000_000;

const ReviewEntry = z
  .strictObject({
    agent: z.string().min(1).max(40).optional(),
    maxIterations: z.number().int().min(1).max(100).default(3),
    autoAbandonAfter: z.number().int().min(1).max(1_000).default(5),
    timeoutHours: z.number().positive().max(10_000).default(24),
    maxParallel: z.number().int().min(1).max(64).default(4),
    /** A launched agent that puts out nothing and calls nothing for so long needs a person. */
    quietMinutes: z.number().positive().max(100_000).default(15),
    /** What each launched agent may use, where its program says what it uses. */
    budgetTokens: z.number().int().min(1).optional(),
    budgetUsd: z.number().positive().max(mostDollars).optional(),
  })
  .refine((one) => one.autoAbandonAfter >= one.maxIterations, {
    message:
      "review.autoAbandonAfter is not below review.maxIterations: work would be abandoned before its last round.",
  });

const Config = z.strictObject({
  /** Per-tool time limits in milliseconds. */
  toolTimeouts: z.record(z.string(), z.number().int().min(0)).default({}),
  /** Host names beside this machine's own that the server answers to. */
  allowedHosts: z.array(z.string()).default([]),
  /** How many copies of removed worktrees are kept, as far as they may be dropped at all. */
  vault: z
    .strictObject({ maxEntries: figure("vault.maxEntries").default(defaultVaultEntries) })
    .default({ maxEntries: defaultVaultEntries }),
  /** Dollars for a million tokens by model; they go before the published prices. */
  prices: z.record(z.string().min(1).max(100), Price).default({}),
  /** How work is compared, and what follows from it. */
  overlap: z.strictObject(overlapFigures).default({}),
  /** What may be fetched from elsewhere: nothing unless it is allowed, and only from these hosts. */
  downloads: z
    .strictObject({
      allow: z.boolean().default(false),
      hosts: z.array(z.string().min(1).max(253)).max(100).default([]),
      /** What is fetched by its name, each with the hash it must have. */
      files: z.record(z.string().min(1).max(100), DownloadFile).default({}),
    })
    .default({ allow: false, hosts: [], files: {} }),
  /** Programs that work as agents, by name; those that we know need no entry. */
  agents: z
    .record(z.string().regex(/^[a-z0-9][a-z0-9_-]{0,39}$/i, "letters, digits, - and _"), AgentEntry)
    .refine(
      (agents) => Object.entries(agents).every(([name, { command }]) => command || Object.hasOwn(presets, name)),
      {
        message: `Only ${Object.keys(presets).join(", ")} need no command.`,
      },
    )
    .refine(
      (agents) => Object.entries(agents).every(([name, { allow, command }]) => !allow || takesAllowed(name, command)),
      {
        message:
          "Only claude without a command of your own takes allow; others have their own way to say what they may.",
      },
    )
    .default({}),
  /** How work is reviewed. */
  review: ReviewEntry.prefault({}),
  /** Whether an exclusive claim stands in the way of everybody, or only of work that would collide. */
  claims: z.enum(["exclusive", "forecast"]).default("exclusive"),
  /** Another address of GitHub's than the public one, and how often open pull requests are looked at. */
  github: z
    .strictObject({
      apiUrl: z.url({ protocol: /^https?$/ }).optional(),
      pollSeconds: z.number().min(1).max(86_400).default(60),
    })
    .default({ pollSeconds: 60 }),
  /** The companion this server offers to machines; without it they are told nothing about updates. */
  companion: z.strictObject({ version: z.string().min(1).max(64), tarballSha256: z.hex().length(64) }).optional(),
});

interface Settings {
  readonly toolTimeoutsMs: Readonly<Record<string, number>>;
  readonly timeoutMs: number | undefined;
  readonly allowedHosts: readonly string[];
  readonly mostVaultEntries: number;
  readonly prices: readonly ModelPrice[];
  /** Only what is set; the house knows the rest. */
  readonly overlap: AskedOverlap;
  readonly downloads: z.infer<typeof Config>["downloads"];
  readonly agents: Readonly<Record<string, AgentProgram>>;
  readonly review: ReviewLimits & {
    readonly maxParallel: number;
    readonly quietMs: number;
    readonly budget: { readonly tokens: number | null; readonly dollars: number | null } | null;
  };
  readonly claims: z.infer<typeof Config>["claims"];
  readonly github: { readonly apiUrl?: string | undefined; readonly pollSeconds: number };
  readonly companion: { readonly version: string; readonly tarballSha256: string } | undefined;
}

/** `config.json` of the home and the environment. A setting that cannot be read stops the start and says why. */
export function readSettings(home: Home, env: NodeJS.ProcessEnv): Settings {
  const config = Config.safeParse(readConfig(home.configFile));
  if (!config.success) throw new Error(`${home.configFile}: ${z.prettifyError(config.error)}`);
  const { toolTimeouts, allowedHosts, vault, prices, overlap, downloads, github, companion, agents, review, claims } =
    config.data;
  return {
    toolTimeoutsMs: toolTimeouts,
    timeoutMs: readTimeout(env["MCP_TOOL_TIMEOUT"]),
    allowedHosts,
    mostVaultEntries: vault.maxEntries,
    prices: Object.entries(prices).map(([model, price]) => fillPrice(model, price)),
    overlap,
    downloads,
    claims,
    github,
    companion,
    agents,
    review: {
      agent: review.agent ?? null,
      maxIterations: review.maxIterations,
      autoAbandonAfter: review.autoAbandonAfter,
      timeoutMs: review.timeoutHours * 3_600_000,
      maxParallel: review.maxParallel,
      quietMs: review.quietMinutes * 60_000,
      budget:
        review.budgetTokens === undefined && review.budgetUsd === undefined
          ? null
          : { tokens: review.budgetTokens ?? null, dollars: review.budgetUsd ?? null },
    },
  };
}

/** Who names no price for a cache pays for its tokens as for any input. */
const fillPrice = (model: string, { input, output, ...cache }: z.infer<typeof Price>): ModelPrice => ({
  model,
  input,
  output,
  cacheRead: cache.cacheRead ?? input,
  cacheCreation: cache.cacheCreation ?? input,
  longCacheCreation: cache.longCacheCreation ?? cache.cacheCreation ?? input,
});

function readTimeout(text: string | undefined): number | undefined {
  if (text === undefined || text === "") return undefined;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0) {
    throw new Error("MCP_TOOL_TIMEOUT is a whole number of milliseconds, 0 for no limit");
  }
  return value;
}

function readConfig(file: string): unknown {
  const text = readOwnFile(file);
  if (text === undefined) return {};
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${file} is not valid JSON`);
  }
}

/**
 * Sets one figure in `config.json`, or takes it out to have the default again; everything else in the file stays. What
 * would stop the next start is refused and not written. Answers all figures as the file now has them.
 */
export function writeThreshold(
  home: Home,
  { key, value }: ThresholdChange,
  check: (overlap: AskedOverlap) => void,
): { readonly overlap: AskedOverlap; readonly mostVaultEntries: number } {
  const config = readConfig(home.configFile) as Record<string, Record<string, unknown> | undefined>;
  const [part = "", name = ""] = key.split(".");
  const { [name]: _before, ...others } = config[part] ?? {};
  const next = { ...config, [part]: value === null ? others : { ...others, [name]: value } };
  const parsed = Config.safeParse(next);
  if (!parsed.success) {
    throw new Refusal("INVALID_INPUT", parsed.error.issues[0]?.message ?? "config.json would not be valid.");
  }
  try {
    check(parsed.data.overlap);
  } catch (error) {
    throw new Refusal("INVALID_INPUT", (error as Error).message);
  }
  writeSecretText(home.configFile, `${JSON.stringify(next, null, 2)}\n`);
  return { overlap: parsed.data.overlap, mostVaultEntries: parsed.data.vault.maxEntries };
}
