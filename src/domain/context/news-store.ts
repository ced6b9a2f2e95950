import type { AgentId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import type { HeardPlace } from "./news-model.ts";

/** The latest answer counts, whichever came before: an agent that waits twice at once hears everything twice. */
export async function saveHeard(db: Db, agentId: AgentId, place: HeardPlace): Promise<void> {
  await db.run(
    db.q
      .insertInto("heard")
      .values({ agentId, ...place })
      .onConflict((on) => on.column("agentId").doUpdateSet({ ...place })),
  );
}
