import { z } from "zod";

/** A name that may stand in a statement as it is. */
const Word = z.string().regex(/^[A-Za-z_]\w{0,62}$/);

export const Provider = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,60}$/i)
  .default("sqlite-vec")
  .describe("Which extension.");
export const Platform = z
  .enum(["linux", "darwin", "win32"])
  .optional()
  .describe("For which system; this one unless given.");
export const Arch = z
  .string()
  .regex(/^[a-z0-9_]{1,20}$/i)
  .optional()
  .describe("For which processor; this one unless given.");

export const trialWords = {
  module: Word.default("vec0").describe("The module that makes its tables."),
  table: Word.default("probe").describe("What to call the table of the trial."),
  column: Word.default("embedding").describe("What to call its column."),
  encoding: z.enum(["float32", "json"]).default("float32").describe("How vectors are written."),
  options: z
    .string()
    .max(200)
    .regex(/^[\w =,]*$/)
    .default("")
    .describe("Further options of the module."),
  annMode: z.string().max(40).optional().describe("Kept for older clients; told back."),
};
