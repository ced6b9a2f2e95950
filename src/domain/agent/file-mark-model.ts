import { z } from "zod";
import { DeveloperId } from "../../contract/ids.ts";
import { fileSources } from "../../contract/words.ts";

export const FileMark = z.object({
  /** The task or the session. */
  subjectId: z.string(),
  source: z.enum(fileSources),
  repo: z.string(),
  path: z.string(),
  developerId: DeveloperId,
  createdAt: z.number(),
});
export type FileMark = z.infer<typeof FileMark>;
export type FileSource = FileMark["source"];

/** The repository of those who name none. */
export const unnamedRepo = "";

/** What a session said of its working copy stands for a day: files stay changed while nobody is at the keyboard. */
export const reportStandsMs = 24 * 3_600_000;
