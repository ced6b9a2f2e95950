import { Refusal } from "../../../contract/refusal.ts";
import type { Counters } from "../model.ts";

/** What a provider counts, before it is made comparable. */
interface Counted {
  readonly input: number | undefined;
  readonly output: number | undefined;
  readonly cacheRead?: number | undefined;
  readonly cacheCreation?: number | undefined;
  readonly reasoning?: number | undefined;
  /** Whether `input` contains what was read from and written to a cache. */
  readonly isInputWhole: boolean;
}

/** Counters that do not overlap; the total is computed and never taken from anybody. */
export function splitCounters(counted: Counted): Counters {
  const { input, output, cacheRead = 0, cacheCreation = 0, reasoning = 0 } = counted;
  if (input === undefined || output === undefined) throw withoutSplit(input, output);
  const cached = cacheRead + cacheCreation;
  if (counted.isInputWhole && cached > input) throw contradiction("more input from and to caches than input");
  const fresh = counted.isInputWhole ? input - cached : input;
  if (reasoning > output) throw contradiction("more reasoning than output");
  return { input: fresh, output, cacheRead, cacheCreation, reasoning, total: fresh + output + cached };
}

function withoutSplit(input: number | undefined, output: number | undefined): Refusal {
  const missing = [...(input === undefined ? ["input"] : []), ...(output === undefined ? ["output"] : [])];
  return new Refusal(
    "INVALID_INPUT",
    `The payload has no split counters: ${missing.join(" and ")} tokens were not found in it.`,
    "Send the usage object with input and output tokens apart; from a total alone nothing is recorded.",
    { missing },
  );
}

const contradiction = (what: string): Refusal =>
  new Refusal(
    "INVALID_INPUT",
    `The payload's counters contradict each other: ${what}.`,
    "Send the usage object as the provider wrote it. Nothing was recorded.",
  );
