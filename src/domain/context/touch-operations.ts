import type { Look } from "../port.ts";
import { listTouches } from "./touch-queries.ts";

type LastTouch = Awaited<ReturnType<typeof listTouches>>[number];

/** For each of these files of a repository, named by its top folder, the task that changed it last in any of its work trees. */
export async function findLastTouches(
  look: Pick<Look, "read" | "ports" | "signal">,
  main: string,
  files: readonly string[],
): Promise<ReadonlyMap<string, LastTouch>> {
  const touches = await look.read((db) => listTouches(db, files));
  const isHere = new Map<string, boolean>();
  const last = new Map<string, LastTouch>();
  for (const touch of touches) {
    const isKnown = touch.repositoryPath === main || touch.root === main;
    const known = isKnown || (isHere.get(touch.root) ?? (await liesIn(look, touch.root, main)));
    isHere.set(touch.root, known);
    if (known) for (const file of touch.files) if (!last.has(file)) last.set(file, touch);
  }
  return last;
}

/** Of a work tree that somebody made by hand nothing can be told once it is gone. */
async function liesIn({ ports, signal }: Pick<Look, "ports" | "signal">, root: string, main: string): Promise<boolean> {
  const found = await ports.project.locate(root, signal);
  return typeof found === "object" && found.main === main;
}
