import type { AnyTool } from "../../contract/tool.ts";

/** The tools that fit a query, best first, equals in catalogue order. A tool that no word fits is left out. */
export function rankTools(tools: readonly AnyTool[], query: string): AnyTool[] {
  const wanted = wordsOf(query);
  return tools
    .map((tool) => ({ tool, score: scoreTool(tool, wanted) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .map(({ tool }) => tool);
}

/** A word counts once, where it weighs most: a name says more than a sentence about it. */
function scoreTool(tool: AnyTool, wanted: readonly string[]): number {
  const places = [
    { weight: 8, words: wordsOf([tool.name, ...(tool.aliases ?? [])].join(" ")) },
    { weight: 4, words: wordsOf(tool.title) },
    { weight: 2, words: wordsOf(tool.summary) },
    { weight: 1, words: wordsOf(tool.guidance ?? "") },
  ];
  return wanted.reduce(
    (sum, word) => sum + (places.find(({ words }) => words.some((other) => isSameWord(word, other)))?.weight ?? 0),
    0,
  );
}

/** "messages" fits "message", "registered" fits "register": the shorter word begins the longer one. */
const isSameWord = (one: string, other: string): boolean =>
  one === other || (Math.min(one.length, other.length) >= 4 && (one.startsWith(other) || other.startsWith(one)));

const fillers = new Set(["a", "an", "the", "to", "of", "my", "is", "in", "on", "and", "or", "for", "with", "i"]);

const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(/[a-z0-9]+/g) ?? []).filter((word) => !fillers.has(word));
