import type { DeveloperId } from "../../../contract/ids.ts";
import { privateName } from "../../../domain/person/model.ts";
import { publicHandles } from "../../../domain/person/operations.ts";
import type { Work } from "../../../domain/work.ts";

/** Developers as one viewer may see them (ID15). */
export interface Faces {
  isHidden(id: DeveloperId): boolean;
  nameOf(id: DeveloperId): string;
}

export async function readFaces({ db, caller }: Pick<Work, "db" | "caller">): Promise<Faces> {
  const known = await publicHandles(db, caller);
  const isHidden = (id: DeveloperId): boolean => known.get(id)?.isHidden ?? true;
  return { isHidden, nameOf: (id) => (isHidden(id) ? privateName : (known.get(id)?.handle ?? privateName)) };
}
