import { z } from "zod";
import { listDevelopers } from "../../domain/person/operations.ts";
import { defineTool } from "../define.ts";
import { DeveloperRecord, developerRecord } from "./voice.ts";

export default defineTool({
  name: "developer_list",
  family: "house",
  title: "List developers",
  summary: "See who belongs to the team; private people only see themselves listed.",
  effect: "read",
  callers: ["person"],
  input: z.object({}),
  output: z.object({ developers: z.array(DeveloperRecord) }),
  refusals: ["FORBIDDEN"],
  examples: [{ title: "everyone", input: {} }],
  async handle(_input, work) {
    const { caller } = work;
    const visible = (await listDevelopers(work.db)).filter(
      (developer) => caller.role === "owner" || !developer.isPrivate || developer.id === caller.developerId,
    );
    return { developers: visible.map(developerRecord) };
  },
});
