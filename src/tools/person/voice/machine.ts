import { z } from "zod";
import {
  clientNames,
  companionChecks,
  companionStates,
  listingStates,
  partStates,
  trustStates,
} from "../../../contract/words.ts";
import type { Machine } from "../../../domain/person/machine-model.ts";
import { Time, timeOf } from "../../time.ts";

/** How a machine's clients are reported and shown: names and states, no path and nothing that a program printed. */

const Part = z.enum(partStates).nullable().describe("Null where the client has no such part.");

export const MachineClient = z.strictObject({
  client: z.enum(clientNames).describe("Which client."),
  entry: Part.describe("Its MCP entry."),
  hooks: Part.describe("Its lifecycle hooks; null where it has none."),
  instructions: Part.describe("What tells its agents about Crewdeck; null where nothing is written."),
  trust: z.enum(trustStates).nullable().describe("Whether a person approved it; null where nobody has to."),
  listing: z.enum(listingStates).nullable().describe("Whether its own command names the server; null where not asked."),
});

export const MachineCheck = z.strictObject({
  check: z.enum(companionChecks).describe("What was looked at."),
  state: z.enum(companionStates).describe("How it was found."),
  count: z.number().int().min(0).max(1_000_000_000).optional().describe("How many wait, or by how many seconds."),
});

/** One line that is no path: those name people's folders. */
const name = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .regex(/^[^\p{Cc}\\]+$/u, "one line without backslashes")
    .refine((text) => !text.startsWith("/") && !text.startsWith("~"), "a name, not a path");

export const MachineName = name(100).describe("The machine's host name.");
export const RepositoryName = name(200).describe("The repository by its name, never by its path.");

export const MachineRecord = z.object({
  machine: z.string(),
  repository: z.string(),
  companion_version: z.string(),
  reported_at: Time,
  clients: z.array(MachineClient),
  checks: z.array(MachineCheck.extend({ count: z.number().int().nullable() })),
});

export const machineRecord = (machine: Machine): z.input<typeof MachineRecord> => ({
  machine: machine.name,
  repository: machine.repository,
  companion_version: machine.companionVersion,
  reported_at: timeOf(machine.reportedAt),
  clients: [...machine.state.clients],
  checks: [...machine.state.checks],
});
