import type { AnyTool } from "../../contract/tool.ts";
import { meaningsOf, stemOf, wordsOf } from "./wish-words.ts";

/** A tool that fits a wish, with the operation that fits it best where it has operations. */
export interface Fit {
  readonly tool: AnyTool;
  readonly operation: string | undefined;
}

/** One thing that can be asked for: a tool, or an operation of one. */
interface Offer extends Fit {
  /** What each word says about it, by how much. */
  readonly words: ReadonlyMap<string, number>;
  /** The words it is called by. */
  readonly called: ReadonlySet<string>;
}

/** The tools that fit a wish, best first, equals in catalogue order. A tool that no word fits is left out. */
export function rankTools(tools: readonly AnyTool[], query: string): Fit[] {
  const offers = offersOf(tools);
  const wanted = [...new Set([...wordsOf(query), ...(asksForAll(query) ? ["list"] : [])].map(stemOf))];
  const best = new Map<AnyTool, Fit & { score: number }>();
  for (const offer of offers.all) {
    const { tool, operation } = offer;
    const isNamed = tool.name === query.trim().toLowerCase();
    const score = isNamed ? named : scoreOffer(offer, wanted, offers.weightOf);
    if (score > (best.get(tool)?.score ?? 0)) best.set(tool, { tool, operation, score });
  }
  return tools
    .flatMap((tool) => best.get(tool) ?? [])
    .sort((one, other) => other.score - one.score)
    .map(({ tool, operation }) => ({ tool, operation }));
}

/** Who asks which there are wants a list of them, without saying so. */
const asksForAll = (query: string): boolean =>
  /^(which|what)\b.*\b(are|exist|there|have|know|known|is)\b/i.test(query) &&
  !/^what (is|are) (it|this|that)\b/i.test(query);

/** Whoever gives the name means nothing else. */
const named = 1e6;

/** A word counts once, where it weighs most; one that only means the same counts less. */
function scoreOffer({ words, called }: Offer, wanted: readonly string[], weightOf: (word: string) => number): number {
  let score = 0;
  let met = 0;
  let all = 0;
  const used = new Set<string>();
  for (const word of wanted) {
    const weight = weightOf(word);
    all += weight;
    let best = 0;
    for (const { meaning, share } of meaningsOf(word)) {
      const value = share * (words.get(meaning) ?? 0);
      if (value > 0 && called.has(meaning)) used.add(meaning);
      best = Math.max(best, value);
    }
    score += best * weight;
    if (best > 0) met += weight;
  }
  if (score === 0) return 0;
  // Of two that answer all words, the one that is called by nothing else is meant.
  const idle = [...called].filter((word) => !used.has(word)).reduce((sum, word) => sum + weightOf(word), 0);
  return (score * (0.4 + 0.6 * (met / all))) / (1 + idleCost * idle);
}

const idleCost = 0.035;

/** A name says more than a sentence about it. */
const places = { name: 3, title: 2.6, keywords: 2.4, summary: 1.5, guidance: 0.5, door: 0.9 };

interface Offers {
  readonly all: readonly Offer[];
  weightOf(word: string): number;
}

const known = new WeakMap<readonly AnyTool[], Offers>();

function offersOf(tools: readonly AnyTool[]): Offers {
  const before = known.get(tools);
  if (before) return before;
  const all = tools.flatMap((tool) =>
    tool.operations === undefined ? [offerOf(tool)] : Object.entries(tool.operations).map(operationOf(tool)),
  );
  const counts = new Map<string, number>();
  for (const { words } of all) for (const word of words.keys()) counts.set(word, (counts.get(word) ?? 0) + 1);
  const offers = { all, weightOf: (word: string) => Math.log(1 + all.length / (1 + (counts.get(word) ?? 0))) };
  known.set(tools, offers);
  return offers;
}

const offerOf = (tool: AnyTool): Offer => ({
  tool,
  operation: undefined,
  words: gather([
    [places.guidance, tool.guidance],
    [places.summary, tool.summary],
    [places.keywords, tool.keywords],
    [places.title, tool.title],
    [places.name, [tool.name, ...(tool.aliases ?? [])].join(" ")],
  ]),
  called: stemsOf(tool.name),
});

const operationOf =
  (tool: AnyTool) =>
  ([operation, own]: readonly [string, AnyTool]): Offer => ({
    tool,
    operation,
    words: gather([
      [places.guidance, tool.guidance],
      [places.door, `${tool.summary} ${tool.keywords ?? ""}`],
      [places.summary, own.summary],
      [places.keywords, own.keywords],
      [places.title, `${tool.title} ${own.title}`],
      [places.name, `${tool.name} ${operation}`],
    ]),
    called: stemsOf(`${tool.name} ${operation}`),
  });

/** Later places weigh more and come last. */
function gather(said: readonly (readonly [weight: number, text: string | undefined])[]): Map<string, number> {
  const words = new Map<string, number>();
  for (const [weight, text] of said) for (const word of stemsOf(text ?? "")) words.set(word, weight);
  return words;
}

const stemsOf = (text: string): Set<string> => new Set(wordsOf(text).map(stemOf));
