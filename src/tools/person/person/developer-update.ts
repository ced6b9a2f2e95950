import { z } from "zod";
import { Handle } from "../../../domain/person/model.ts";
import { updateDeveloper } from "../../../domain/person/operations.ts";
import { defineTool } from "../../define.ts";
import { DeveloperRecord, developerRecord, Email, Name } from "../voice/people.ts";

export default defineTool({
  name: "developer_update",
  family: "person",
  title: "Change a developer",
  summary: "Change a person's name, e-mail or privacy.",
  effect: "change",
  isRepeatable: true,
  callers: ["person"],
  input: z.object({
    handle: Handle,
    name: Name.optional(),
    email: Email.optional(),
    private: z.boolean().optional().describe("Hide them from everyone but themselves."),
  }),
  output: DeveloperRecord,
  refusals: ["NOT_FOUND", "FORBIDDEN"],
  examples: [{ title: "a new name", input: { handle: "$handle", name: "Ada L." } }],
  async handle(input, work) {
    return developerRecord(
      await updateDeveloper(work, input.handle, {
        ...(input.name === undefined ? {} : { name: input.name }),
        ...(input.email === undefined ? {} : { email: input.email }),
        ...(input.private === undefined ? {} : { isPrivate: input.private }),
      }),
    );
  },
});
