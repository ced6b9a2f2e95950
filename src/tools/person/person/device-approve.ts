import { z } from "zod";
import { judgeDevice } from "../../../domain/person/grant-operations.ts";
import { defineTool } from "../../define.ts";
import { deviceRecord, Judged, UserCode } from "../voice/device.ts";

export default defineTool({
  name: "device_approve",
  family: "person",
  title: "Approve a machine",
  summary: "Let a machine that shows this code have tokens of yours for the agents it asks for.",
  guidance: "Only approve a code that you see on a machine of your own; its agents will act in your name.",
  effect: "change",
  isRepeatable: true,
  callers: ["person"],
  input: z.object({ code: UserCode }),
  output: Judged,
  refusals: ["RATE_LIMITED", "FORBIDDEN"],
  examples: [{ title: "by its code", input: { code: "WDJB-MJHT" } }],
  async handle({ code }, work) {
    const grant = await judgeDevice(work, code, "approved");
    if (!grant) return { status: "unknown" as const, device: null };
    return { status: "approved" as const, device: deviceRecord(grant, work.now) };
  },
});
