import type { IndexedTree } from "../codeindex/model.ts";
import type { Look } from "../port.ts";
import type { CopyAsk, WrittenCopy } from "./port.ts";

type Copying = Pick<Look, "ports" | "signal" | "progress">;

/** Copies the index of a work tree, as it is now, into a SQLite file. Refuses with NO_INDEX where none was built. */
export async function copyIndex(
  look: Copying,
  repository: IndexedTree,
  ask: Pick<CopyAsk, "out" | "mode" | "isIncremental">,
): Promise<WrittenCopy & { readonly id: string; readonly builtAt: string }> {
  const { codeindex, artifact } = look.ports;
  const status = await codeindex.readStatus(repository, look.signal);
  const builtAt = status.built?.state.builtAt ?? "";
  const { head, branch } = status.git;
  const meta = { repo: repository.root, head: head ?? "", branch: branch ?? "", builtAt, content: status.fingerprint };
  const { signal, progress } = look;
  const chunks = codeindex.readChunks(repository, signal);
  const copy = await artifact.writeCopy({ ...ask, meta, signal, progress, folder: status.folder }, chunks);
  return { ...copy, id: status.id, builtAt };
}
