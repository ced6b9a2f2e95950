import { createHash } from "node:crypto";
import type { GitCommand, GitOutput } from "./run.ts";

/** What we take over of a configuration. */
export interface Settings {
  /** A configuration of our own with these settings and no others; one character for each byte. */
  readonly text: string;
  readonly isBare: boolean | undefined;
  readonly algorithm: "sha1" | "sha256";
  /** Where the configuration says the working tree is. */
  readonly workTree: string | undefined;
  /** A worktree may have settings of its own. */
  readonly hasOwn: boolean;
}

export type RunPlain = (command: Omit<GitCommand, "signal">) => Promise<GitOutput>;

export type Entry = readonly [key: string, value: string];

/**
 * Reads a configuration as data: git parses bytes that we hand to it, follows no include and heeds nothing of it.
 * Undefined where it is no configuration, or asks for something that we do not know.
 */
export async function readSettings(
  run: RunPlain,
  config: Buffer,
  { program, cwd }: { program: string; cwd: string },
): Promise<Settings | undefined> {
  const key = createHash("sha256").update(`${program}\0`).update(config).digest("hex");
  const known = parsed.get(key);
  if (known) return known;
  const args = ["config", "--file", "-", "--no-includes", "--list", "-z"];
  const { code, stdout } = await run({ args, cwd, input: config, timeoutMs: parseMs, answers: [128] });
  const settings = code === 0 ? settingsOf(entriesIn(stdout)) : undefined;
  if (settings === undefined) return undefined;
  if (parsed.size >= mostParsed) parsed.clear();
  parsed.set(key, settings);
  return settings;
}

/** The same bytes mean the same to the same git. */
const parsed = new Map<string, Settings>();
const mostParsed = 500;
const parseMs = 5_000;

export const entriesIn = (output: Buffer): Entry[] =>
  output
    .toString("latin1")
    .split("\0")
    .slice(0, -1)
    .map((line) => {
      const end = line.indexOf("\n");
      // A key without a value is one that is switched on.
      return end === -1 ? [line, "true"] : [line.slice(0, end), line.slice(end + 1)];
    });

function settingsOf(entries: readonly Entry[]): Settings | undefined {
  if (entries.some(([key]) => key.startsWith("extensions.") && !knownExtension.test(key))) return undefined;
  const last = (wanted: string): string | undefined => entries.findLast(([key]) => key === wanted)?.[1];
  const bare = last("core.bare");
  return {
    text: writeSettings(entries.filter(isHarmless)),
    isBare: bare === undefined ? undefined : isOn(bare),
    algorithm: last("extensions.objectformat") === "sha256" ? "sha256" : "sha1",
    workTree: last("core.worktree"),
    hasOwn: isOn(last("extensions.worktreeconfig") ?? "false"),
  };
}

const isOn = (value: string): boolean => /^(?:true|yes|on|[1-9]\d*)$/i.test(value);

/** How objects and refs are kept; a repository with any other is one that we cannot read. */
const knownExtension =
  /^extensions\.(?:noop|noop-v1|objectformat|compatobjectformat|refstorage|preciousobjects|partialclone|worktreeconfig|relativeworktrees)$/;

const flag = /^(?:true|false|yes|no|on|off|[01])$/i;
const word = /^[!-~\x80-\xff]{1,250}$/;
const line = /^[ -~\x80-\xff]{1,250}$/;

/**
 * What a repository may say about itself: how it is kept, how its files lie on the disk, where branches come from and who
 * works there. None of it names a program or a file. Whatever git learns to run in years to come is not in here either.
 */
const harmless: readonly (readonly [key: RegExp, value: RegExp])[] = [
  [/^core\.repositoryformatversion$/, /^\d{1,3}$/],
  [/^extensions\.(?:objectformat|compatobjectformat)$/, /^(?:sha1|sha256)$/],
  [/^extensions\.refstorage$/, /^(?:files|reftable)$/],
  [/^extensions\.(?:noop|noop-v1|preciousobjects|relativeworktrees)$/, flag],
  [/^core\.(?:bare|filemode|ignorecase|precomposeunicode|symlinks|trustctime|longpaths)$/, flag],
  [/^(?:core\.(?:sparsecheckout|sparsecheckoutcone)|index\.sparse)$/, flag],
  [/^core\.autocrlf$/, /^(?:true|false|yes|no|on|off|[01]|input)$/i],
  [/^core\.eol$/, /^(?:lf|crlf|native)$/i],
  [/^core\.checkstat$/, /^(?:default|minimal)$/i],
  [/^core\.sharedrepository$/, /^(?:true|false|umask|group|all|world|everybody|0?[0-7]{1,3})$/i],
  [/^user\.(?:name|email)$/, line],
  [/^branch\..+\.(?:remote|merge)$/s, word],
  [/^remote\..+\.(?:fetch|url|pushurl)$/s, word],
];

export const isHarmless = ([key, value]: Entry): boolean =>
  harmless.some(([keys, values]) => keys.test(key) && values.test(value));

export const writeSettings = (entries: readonly Entry[]): string =>
  entries
    .map(([key, value]) => {
      const [first, last] = [key.indexOf("."), key.lastIndexOf(".")];
      const sub = first === last ? "" : ` ${quote(key.slice(first + 1, last))}`;
      return `[${key.slice(0, first)}${sub}]\n\t${key.slice(last + 1)} = ${quote(value)}\n`;
    })
    .join("");

const quote = (text: string): string => `"${text.replace(/["\\]/g, "\\$&")}"`;
