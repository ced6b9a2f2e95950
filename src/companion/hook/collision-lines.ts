import { type SymbolClash, saySymbolClash } from "../../contract/symbol-clash.ts";

/** How the agent's changes go together with other work in the files it is about to edit, as the server lists it. */
export interface Forecast {
  readonly verdict: string;
  readonly paths: readonly string[];
  readonly symbols?: readonly (Omit<SymbolClash, "definedIn"> & { readonly defined_in: string })[];
  readonly base_branch: string | null;
  readonly owner: string | null;
}

const mostLines = 3;

/** One line for each collision in the files of an edit (HK18); none where what just arrived says it already. */
export function collisionLines(forecasts: readonly Forecast[], notices: readonly string[]): string[] {
  const lines = forecasts.flatMap((forecast) => {
    const [path = "a file"] = forecast.paths;
    const isKnown = notices.some((notice) => notice.includes(path));
    const line = isKnown ? undefined : sayForecast(forecast, path);
    return line === undefined ? [] : [line];
  });
  return [...new Set(lines)].slice(0, mostLines);
}

function sayForecast({ verdict, symbols = [], base_branch, owner }: Forecast, path: string): string | undefined {
  const whose =
    owner === null ? "another worktree's changes" : `${owner.startsWith("@") ? "someone" : owner}'s changes`;
  if (verdict === "conflict" && base_branch !== null)
    return `Your changes in ${path} conflict with ${base_branch}: git rebase ${base_branch}`;
  if (verdict === "conflict") return `Your changes in ${path} conflict with ${whose}.`;
  const [symbol] = symbols;
  if (verdict !== "symbol" || symbol === undefined) return undefined;
  const { name, why, defined_in } = symbol;
  return `Your changes and ${whose} break each other in ${path}: one ${saySymbolClash({ name, why, definedIn: defined_in })}.`;
}
