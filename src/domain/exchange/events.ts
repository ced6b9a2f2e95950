import { z } from "zod";
import { defineEvents } from "../../contract/event.ts";

const place = { repo: z.string().nullable(), branch: z.string().nullable() };

export const contextEvent = defineEvents("context", {
  published: {
    announced: "session.context_published",
    data: z.object({
      ...place,
      title: z.string(),
      expires_at: z.string(),
      /** The one it replaces. */
      supersedes: z.string().nullable(),
    }),
  },
  revoked: { announced: "session.context_revoked", data: z.object(place) },
});
