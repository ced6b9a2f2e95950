import { z } from "zod";
import { listOwnMachines } from "../../../domain/person/machine-operations.ts";
import { defineTool } from "../../define.ts";
import { MachineRecord, machineRecord } from "../voice/machine.ts";

export default defineTool({
  name: "machine_list",
  family: "person",
  title: "List your machines’ clients",
  summary: "See how the clients of your machines are set up, as their companions last reported.",
  effect: "read",
  callers: ["agent"],
  input: z.object({}),
  output: z.object({ machines: z.array(MachineRecord) }),
  refusals: [],
  examples: [{ title: "all of them", input: {} }],
  async handle(_input, work) {
    return { machines: (await listOwnMachines(work)).map(machineRecord) };
  },
});
