import { createHash } from "node:crypto";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { quoteName, rawName } from "../git/names.ts";
import type { Repository } from "../git/repository.ts";
import { limits } from "./limits.ts";

/**
 * The same repository, but what git writes there goes into a folder of ours: tries leave no object behind in anybody's
 * repository. What has been written before is found again, until it takes too much room.
 */
export async function withOwnObjects(repository: Repository, folder: string): Promise<Repository> {
  const key = createHash("sha256").update(repository.commonDir).digest("hex").slice(0, 24);
  const own = join(folder, key);
  if ((await sizeOf(own)) > limits.objectBytes) await rm(own, { recursive: true, force: true });
  await mkdir(own, { recursive: true, mode: 0o700 });
  const theirs = join(repository.commonDir, "objects");
  const objects = {
    GIT_OBJECT_DIRECTORY: own,
    // In quotes, because a plain list ends at a colon.
    GIT_ALTERNATE_OBJECT_DIRECTORIES: quoteName(rawName(Buffer.from(theirs))),
  };
  return {
    ...repository,
    git: (args, within = {}) =>
      repository.git(args, {
        ...within,
        env: { ...within.env, ...objects },
        // A try that a power cut takes away is made again.
        settings: [...(within.settings ?? []), "core.fsync=none"],
      }),
  };
}

async function sizeOf(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => [])) {
    if (!entry.isFile()) continue;
    bytes += (await stat(join(entry.parentPath, entry.name)).catch(() => undefined))?.size ?? 0;
  }
  return bytes;
}
