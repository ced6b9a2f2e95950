import { briefEntry } from "./brief-entry.ts";
import type { McpTool } from "./projections/mcp.ts";
import { type Effect, families } from "./tool.ts";

/*
 * What a client is shown (LS1–LS15). Everything here works on the generated catalogue and imports no schema library:
 * the stdio bridge answers lists with it before anything else is loaded.
 */

export type { McpTool } from "./projections/mcp.ts";

interface CatalogueItem {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly family: string;
  readonly effect: Effect;
  readonly isCore: boolean;
  /** The arguments that the core list shows of it; all of them where this is not said. */
  readonly coreArguments?: readonly string[];
  readonly entry: McpTool;
}

export interface Catalogue {
  readonly schemaVersion: string;
  readonly toolVersion: string;
  readonly instructions: string;
  readonly tools: readonly CatalogueItem[];
  /** wait; and find_tools and call_tool, through which a client with a short list reaches everything else. */
  readonly helpers: readonly McpTool[];
  /** Of some of them the core list shows only these arguments. */
  readonly helperArguments: Readonly<Record<string, readonly string[]>>;
}

/** What is listed and what may be called on one connection; fixed when it opens. */
export interface Selection {
  readonly profiles: readonly Profile[];
  readonly families: readonly string[];
  readonly tools: readonly string[];
  readonly excludedFamilies: readonly string[];
  readonly excludedTools: readonly string[];
  readonly isReadOnly: boolean;
}

const profiles = ["auto", "core", "all"] as const;
type Profile = (typeof profiles)[number];

const readOnlyWord = "read-only";

/** The most the core list may cost, in tokens. */
export const coreCeiling = 2_000;

interface SelectionOptions {
  /** Tools and families that are neither listed nor callable, separated by commas. */
  readonly exclude?: string | undefined;
  readonly readOnly?: boolean | undefined;
}

/**
 * Reads what a person wrote after `--tools`: profiles, families and tool names, separated by commas; `-name` excludes.
 * Words that only restrict leave the default in place.
 */
export function parseSelection(text: string | undefined, options: SelectionOptions, catalogue: Catalogue): Selection {
  const words = wordsOf(text);
  const wanted = words.filter((word) => !word.startsWith("-") && word !== readOnlyWord);
  const unwanted = words.filter((word) => word.startsWith("-")).map((word) => word.slice(1));
  const included = sortWords(wanted.length === 0 ? ["auto"] : wanted, catalogue, profiles);
  const excluded = sortWords([...unwanted, ...wordsOf(options.exclude)], catalogue, []);
  return {
    profiles: included.profiles,
    families: included.families,
    tools: included.tools,
    excludedFamilies: excluded.families,
    excludedTools: excluded.tools,
    isReadOnly: options.readOnly === true || words.includes(readOnlyWord),
  };
}

/** The tools to list, in the catalogue's order, helpers last. The same arguments always give the same list. */
export function listTools(catalogue: Catalogue, selection: Selection, clientName: string | undefined): McpTool[] {
  const asked = new Set(selection.profiles.map((profile) => (profile === "auto" ? autoProfile(clientName) : profile)));
  const isWhole = (item: CatalogueItem): boolean =>
    asked.has("all") || selection.families.includes(item.family) || selection.tools.includes(item.name);
  const isBrief = (item: CatalogueItem): boolean => asked.has("core") && item.isCore;
  const allowed = catalogue.tools.filter((item) => !isExcluded(catalogue, selection, item.name));
  const listed = allowed.flatMap((item) =>
    isWhole(item) ? [item.entry] : isBrief(item) ? [briefEntry(item.entry, item.coreArguments)] : [],
  );
  const hasHelpers = asked.has("core") && !asked.has("all");
  const helpers = catalogue.helpers.filter(
    ({ name }) => (hasHelpers || selection.tools.includes(name)) && !isExcluded(catalogue, selection, name),
  );
  return [...listed, ...helpers.map((helper) => briefEntry(helper, catalogue.helperArguments[helper.name]))];
}

/**
 * Whether a call by this name is refused, listed or not. What is no part of the catalogue is always refused: an agent
 * must not reach the tools that administer people and tokens.
 */
export function isExcluded(catalogue: Catalogue, selection: Selection, toolName: string): boolean {
  if (catalogue.helpers.some((helper) => helper.name === toolName)) return selection.excludedTools.includes(toolName);
  const item = findItem(catalogue, toolName);
  if (!item) return true;
  return (
    selection.excludedTools.includes(item.name) ||
    selection.excludedFamilies.includes(item.family) ||
    (selection.isReadOnly && item.effect !== "read")
  );
}

/** What a list costs the model that reads it: characters / 4 of the `tools/list` result. */
export const tokenCost = (entries: readonly McpTool[]): number =>
  Math.ceil(JSON.stringify({ tools: entries }).length / 4);

/** Clients that put only names before the model and load a schema when it is wanted; they can have the whole list. */
const loadOnDemand = ["claude-code", "codex"];

function autoProfile(clientName = ""): Profile {
  const name = clientName.toLowerCase().replace(/[\s_]+/g, "-");
  return loadOnDemand.some((known) => name.startsWith(known)) ? "all" : "core";
}

const findItem = (catalogue: Catalogue, name: string): CatalogueItem | undefined =>
  catalogue.tools.find((item) => item.name === name || item.aliases.includes(name));

const wordsOf = (text = ""): string[] => text.split(",").flatMap((word) => word.trim() || []);

interface SortedWords {
  readonly profiles: Profile[];
  readonly families: string[];
  readonly tools: string[];
}

function sortWords(words: readonly string[], catalogue: Catalogue, knownProfiles: readonly Profile[]): SortedWords {
  const sorted: SortedWords = { profiles: [], families: [], tools: [] };
  for (const word of words) {
    const profile = knownProfiles.find((known) => known === word);
    const family = families.find((known) => known === word);
    const tool = findItem(catalogue, word)?.name ?? catalogue.helpers.find((helper) => helper.name === word)?.name;
    if (profile) sorted.profiles.push(profile);
    else if (family) sorted.families.push(family);
    else if (tool) sorted.tools.push(tool);
    else throw unknownWord(word, knownProfiles);
  }
  return sorted;
}

function unknownWord(word: string, knownProfiles: readonly Profile[]): Error {
  const possible = [
    ...(knownProfiles.length > 0 ? [`a profile (${[...knownProfiles, readOnlyWord].join(", ")})`] : []),
    `a family (${families.join(", ")})`,
    "the name of a tool",
  ];
  return new Error(`"${word}" is neither ${possible.join(" nor ")}. \`crewdeck tools --tools all\` lists the names.`);
}
