import { z } from "zod";

/** Which rows of a list that is shown a page at a time. */
export const pageOfRows = {
  limit: z.number().int().min(1).max(200).default(50).describe("At most this many."),
  offset: z.number().int().min(0).max(100_000).default(0).describe("Skip this many."),
};

/** A row shows the first few files; whoever asks for one alone sees the rest. */
export const mostFilesFor = (id: string | undefined): number => (id === undefined ? 20 : 500);
