import type { Db } from "../../storage/db.ts";
import type { Footprint } from "./footprint-model.ts";

export async function saveFootprint(db: Db, { files, ...footprint }: Footprint): Promise<void> {
  const changes = { repositoryPath: footprint.repositoryPath, files: JSON.stringify(files), madeAt: footprint.madeAt };
  await db.run(
    db.q
      .insertInto("footprint")
      .values({ taskId: footprint.taskId, ...changes })
      .onConflict((on) => on.column("taskId").doUpdateSet(changes)),
  );
}
