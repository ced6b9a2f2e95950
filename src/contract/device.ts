import { z } from "zod";
import { agentTypes } from "./caller.ts";

/** The bodies of the device flow's routes, as programs see them. */

export const DeviceRequest = z.strictObject({
  machine_name: z.string().trim().min(1).max(100).describe("What the person will recognise the machine by."),
  agents: z
    .array(z.enum(agentTypes))
    .min(1)
    .max(agentTypes.length)
    .refine((agents) => new Set(agents).size === agents.length, "each agent once")
    .describe("The agents that need a token."),
});

export const DeviceAnswer = z.object({
  device_code: z.string().describe("For the machine itself; shown this once."),
  user_code: z.string().describe("For the person who approves."),
  verification_uri: z.string().describe("Where the person approves."),
  expires_in: z.number().describe("Seconds."),
  interval: z.number().describe("Seconds between two polls."),
});

export const PollRequest = z.strictObject({
  device_code: z.string().min(1).max(200).describe("From the first answer."),
});

export const PollAnswer = z.object({
  status: z.enum(["pending", "approved", "denied", "expired", "consumed"]),
  interval: z.number().describe("Seconds until the next poll."),
  tokens: z.record(z.string(), z.string()).optional().describe("With approved, this once: a token for each agent."),
});
