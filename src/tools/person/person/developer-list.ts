import { z } from "zod";
import { listKnownDevelopers } from "../../../domain/person/operations.ts";
import { defineTool } from "../../define.ts";
import { DeveloperRecord, developerRecord } from "../voice/people.ts";

export default defineTool({
  name: "developer_list",
  family: "person",
  title: "List developers",
  summary: "See who belongs to the team; private people are shown to the owner and to themselves only.",
  effect: "read",
  callers: ["person"],
  input: z.object({}),
  output: z.object({ developers: z.array(DeveloperRecord) }),
  refusals: ["FORBIDDEN"],
  examples: [{ title: "everyone", input: {} }],
  async handle(_input, work) {
    return { developers: (await listKnownDevelopers(work)).map(developerRecord) };
  },
});
