import { z } from "zod";
import { defineTool } from "../../define.ts";

export default defineTool({
  name: "program_list",
  family: "person",
  title: "List agent programs",
  summary:
    "See which agent programs this server knows and which of them are installed; the first installed is the default.",
  effect: "read",
  callers: ["person"],
  input: z.object({}),
  output: z.object({ programs: z.array(z.object({ name: z.string(), installed: z.boolean() })) }),
  routes: [{ method: "GET", path: "/api/programs" }],
  refusals: [],
  examples: [{ title: "all of them", input: {} }],
  observe: async (_input, look) => look.ports.instance.listPrograms(),
  handle: async (_input, _work, programs) => ({
    programs: programs.map(({ name, isInstalled }) => ({ name, installed: isInstalled })),
  }),
});
