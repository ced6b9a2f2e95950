import { z } from "zod";
import { listDevices } from "../../../domain/person/grant-operations.ts";
import { defineTool } from "../../define.ts";
import { DeviceRecord, deviceRecord } from "../voice/device.ts";

export default defineTool({
  name: "device_list",
  family: "person",
  title: "List machines",
  summary: "See the machines that wait for approval and those you have decided about.",
  effect: "read",
  callers: ["person"],
  input: z.object({}),
  output: z.object({ devices: z.array(DeviceRecord) }),
  refusals: ["FORBIDDEN"],
  examples: [{ title: "all of them", input: {} }],
  async handle(_input, work) {
    return { devices: (await listDevices(work)).map((grant) => deviceRecord(grant, work.now)) };
  },
});
