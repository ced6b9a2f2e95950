import { z } from "zod";
import { judgeDevice } from "../../../domain/person/grant-operations.ts";
import { defineTool } from "../../define.ts";
import { deviceRecord, Judged, UserCode } from "../voice/device.ts";

export default defineTool({
  name: "device_deny",
  family: "person",
  title: "Deny a machine",
  summary: "Refuse tokens to the machine that shows this code.",
  effect: "change",
  isRepeatable: true,
  callers: ["person"],
  input: z.object({ code: UserCode }),
  output: Judged,
  refusals: ["RATE_LIMITED", "FORBIDDEN"],
  examples: [{ title: "by its code", input: { code: "WDJB-MJHT" } }],
  async handle({ code }, work) {
    const grant = await judgeDevice(work, code, "denied");
    if (!grant) return { status: "unknown" as const, device: null };
    return { status: "denied" as const, device: deviceRecord(grant, work.now) };
  },
});
