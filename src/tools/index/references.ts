import { z } from "zod";

/** The repository a tool of this family is about; the same words in each of them. */
export const RepoPath = z
  .string()
  .min(1)
  .max(4_096)
  .optional()
  .describe("A folder of the repository on the server's machine; yours or the server's unless given.");
