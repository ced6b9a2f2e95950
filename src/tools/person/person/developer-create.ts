import { z } from "zod";
import { Handle } from "../../../domain/person/model.ts";
import { createDeveloper } from "../../../domain/person/operations.ts";
import { defineTool } from "../../define.ts";
import { DeveloperRecord, developerRecord, Email, Name } from "../voice/people.ts";

export default defineTool({
  name: "developer_create",
  family: "person",
  title: "Add a developer",
  summary: "Add a person to the team.",
  effect: "create",
  callers: ["owner"],
  input: z.object({
    handle: Handle,
    name: Name.optional(),
    email: Email.optional(),
    private: z.boolean().default(false).describe("Hide them from everyone but themselves."),
  }),
  output: DeveloperRecord,
  refusals: ["CONFLICT", "FORBIDDEN"],
  examples: [{ title: "a colleague", input: { handle: "grace", name: "Grace" } }],
  async handle(input, work) {
    return developerRecord(
      await createDeveloper(work, {
        handle: input.handle,
        name: input.name ?? input.handle,
        email: input.email ?? null,
        isPrivate: input.private,
      }),
    );
  },
});
