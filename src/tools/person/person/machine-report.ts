import { z } from "zod";
import { clientNames, companionChecks } from "../../../contract/words.ts";
import { reportMachine } from "../../../domain/person/machine-operations.ts";
import { defineTool } from "../../define.ts";
import { MachineCheck, MachineClient, MachineName, RepositoryName } from "../voice/machine.ts";

export default defineTool({
  name: "machine_report",
  family: "person",
  title: "Report a machine’s clients",
  summary: "Say how the clients of this machine are set up in a repository; its companion does that by itself.",
  effect: "change",
  isRepeatable: true,
  callers: ["agent"],
  input: z.object({
    machine: MachineName,
    repository: RepositoryName,
    companion_version: z.string().min(1).max(64).describe("The version of the machine's companion."),
    clients: z
      .array(MachineClient)
      .max(clientNames.length)
      .describe("Those set up there, and those found and not set up."),
    checks: z.array(MachineCheck).max(companionChecks.length).describe("What was checked beside clients."),
  }),
  output: z.object({ changed: z.boolean().describe("Whether anything is other than it was reported last.") }),
  refusals: [],
  examples: [
    {
      title: "one client, set up and waiting for a person",
      input: {
        machine: "laptop",
        repository: "acme/shop",
        companion_version: "0.1.0",
        clients: [
          {
            client: "codex",
            entry: "set_up",
            hooks: "set_up",
            instructions: "set_up",
            trust: "awaited",
            listing: "named",
          },
        ],
        checks: [{ check: "watch", state: "running" }],
      },
    },
  ],
  async handle({ machine, repository, companion_version, clients, checks }, work) {
    const state = { clients, checks: checks.map((check) => ({ ...check, count: check.count ?? null })) };
    return {
      changed: await reportMachine(work, { name: machine, repository, companionVersion: companion_version, state }),
    };
  },
});
