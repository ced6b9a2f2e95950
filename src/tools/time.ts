import { z } from "zod";

/** Times are milliseconds inside and ISO 8601 on the wire, in every family. */
export const Time = z.string().describe("ISO 8601.");

export const timeOf = (at: number): string => new Date(at).toISOString();

export const timeOrNull = (at: number | null): string | null => (at === null ? null : timeOf(at));
