import { z } from "zod";

/** Times are milliseconds inside and ISO 8601 on the wire, in every family. */
export const Time = z.string().describe("ISO 8601.");

export const timeOf = (at: number): string => new Date(at).toISOString();

export const timeOrNull = (at: number | null): string | null => (at === null ? null : timeOf(at));

/** The millisecond a Unix time in seconds stands for; one that was divided by 1000 may come back a hair below itself. */
export const millisecondOf = (unixSeconds: number): number => Math.floor(unixSeconds * 1_000 + 0.01);
