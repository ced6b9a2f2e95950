import { z } from "zod";
import { ClaimId, MessageId } from "../../../contract/ids.ts";
import { RepoPath } from "./words.ts";

/** Arguments that several operations of this door share. */

export const ClaimRef = ClaimId.describe("A claim of your own.");
export const AskRef = MessageId.describe("The question.");
export const HandoffRef = MessageId.describe("The handoff.");
export const To = z.string().trim().min(1).max(100).describe("A teammate, by handle or id.");
export const Paths = z
  .array(RepoPath)
  .min(1)
  .max(50)
  .describe("Files and folders of the repository; *, ?, ** and {a,b} are understood.");
export const Symbols = z
  .array(z.string().trim().min(1).max(300))
  .min(1)
  .max(100)
  .describe("Symbols by name, or file#name.");
export const Words = (most: number) => z.string().trim().min(1).max(most);

/** Added where nobody of a teammate's is there; a message to them is kept, but not read soon. */
export const nobodyOnline = "None of their agents is online, so it may take a while.";
