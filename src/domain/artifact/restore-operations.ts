import { isAbsolute, join, relative, resolve } from "node:path";
import { Refusal } from "../../contract/refusal.ts";
import type { IndexedTree } from "../codeindex/model.ts";
import type { Look } from "../port.ts";

/** Where a job in CI leaves the index that it built. */
const usualFolder = ".crewdeck-index";

/** Takes over an index that another machine built, if there is one. Off this machine it must lie in the repository. */
export async function restoreIndex(
  { ports }: Pick<Look, "ports">,
  repository: IndexedTree,
  asked: string | undefined,
): Promise<boolean> {
  const folder = asked === undefined ? join(repository.root, usualFolder) : resolve(repository.root, asked);
  const inside = relative(repository.root, folder);
  if (!ports.project.isLocal && (inside.startsWith("..") || isAbsolute(inside))) {
    throw new Refusal(
      "FORBIDDEN",
      "This server is open to other machines, so it only reads folders of the repository.",
      "Put the index folder into the repository's folder.",
    );
  }
  return ports.codeindex.restore(repository, folder);
}
