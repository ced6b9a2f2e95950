import { z } from "zod";
import { defineEvents } from "../../contract/event.ts";

export const repositoryEvent = defineEvents("repository", {
  registered: { announced: "repository:registered", data: z.object({ name: z.string() }) },
  renamed: { announced: "repository:renamed", data: z.object({ name: z.string() }) },
});
