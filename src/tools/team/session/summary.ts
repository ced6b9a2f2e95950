import { z } from "zod";

const meaning = "In a few sentences; for activity in one line of at most 280 characters.";
const longestLine = 280;

export const Summary = z.string().trim().min(1).max(4_000).describe(meaning);

/** The same key, held to a line where a line is asked for. */
export const SummaryLine = Summary.refine(
  (text) => [...text].length <= longestLine,
  `at most ${longestLine} characters`,
).describe(meaning);
