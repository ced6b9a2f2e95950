import { z } from "zod";
import { AgentId } from "../../../contract/ids.ts";
import { listDesks } from "../../../domain/context/session-list-operations.ts";
import { Handle } from "../../../domain/person/model.ts";
import { getKnownDeveloper } from "../../../domain/person/operations.ts";
import { readViewer } from "../../../domain/person/viewer-queries.ts";
import { defineTool } from "../../define.ts";
import { Repo } from "../../team/voice/words.ts";
import { mostFilesFor, pageOfRows } from "../voice/rows.ts";
import { ClaimRecord, claimRecord, SessionRecord, sessionRecord } from "../voice/session.ts";

export default defineTool({
  name: "session_list",
  family: "person",
  title: "List sessions",
  summary: "See every session: when it was last heard of, where it works, what it holds, has changed and has used.",
  effect: "read",
  callers: ["agent"],
  input: z.object({
    ended: z.boolean().default(false).describe("Those that have ended instead of those that go on."),
    session_id: AgentId.optional().describe("This one alone, ended or not, with all its files."),
    developer: Handle.optional().describe("Only this developer's."),
    repo: Repo.optional(),
    ...pageOfRows,
  }),
  output: z.object({
    sessions: z.array(SessionRecord),
    claims: z.array(ClaimRecord).describe("Code that is held without a session."),
    more: z.boolean().describe("There are more after these."),
  }),
  routes: [{ method: "GET", path: "/api/sessions" }],
  refusals: ["NOT_FOUND"],
  examples: [
    { title: "who is there", input: {} },
    { title: "sessions that have ended", input: { ended: true, limit: 10 } },
  ],
  async handle({ ended, session_id, developer, repo, limit, offset }, work) {
    const developerId = developer === undefined ? undefined : (await getKnownDeveloper(work, developer)).id;
    const page = { id: session_id, hasEnded: ended, developerId, repo, limit, offset, now: work.now };
    const { desks, looseClaims, hasMore } = await listDesks(work.db, page);
    const viewer = await readViewer(work);
    const mostFiles = mostFilesFor(session_id);
    // Whoever asks for a place or a person must not learn that it is somebody private's session (ID22).
    const isOpen = developer === undefined && repo === undefined;
    const shown = desks.filter(({ session }) => isOpen || viewer.knows(session));
    return {
      sessions: shown.map((desk) => sessionRecord(desk, { viewer, now: work.now, mostFiles })),
      claims: viewer.known(looseClaims).map((claim) => claimRecord(claim, { viewer })),
      more: hasMore,
    };
  },
});
