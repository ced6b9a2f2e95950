import { z } from "zod";
import { agentTypes } from "../../../contract/caller.ts";
import type { Grant } from "../../../domain/person/grant-model.ts";

/** How machines that ask for tokens are written. Never their codes. */

export const UserCode = z
  .string()
  .regex(/^[\s-]*(?:[A-Za-z0-9][\s-]*){8}$/, "eight letters and digits")
  .max(30)
  .describe("The code that the machine shows, such as WDJB-MJHT.");

export const DeviceRecord = z.object({
  id: z.string(),
  machine_name: z.string(),
  agents: z.array(z.enum(agentTypes)),
  status: z.enum(["pending", "approved", "denied", "consumed", "expired"]),
  created_at: z.string(),
  expires_at: z.string(),
});

export const deviceRecord = (grant: Grant, now: number): z.input<typeof DeviceRecord> => ({
  id: grant.id,
  machine_name: grant.machineName,
  agents: [...grant.agents],
  status: isOver(grant, now) ? "expired" : grant.status,
  created_at: new Date(grant.createdAt).toISOString(),
  expires_at: new Date(grant.expiresAt).toISOString(),
});

const isOver = ({ status, expiresAt }: Grant, now: number): boolean =>
  now >= expiresAt && (status === "pending" || status === "approved");

export const Judged = z.object({
  status: z.enum(["approved", "denied", "unknown"]).describe("unknown: no machine waits under that code."),
  device: DeviceRecord.nullable(),
});
