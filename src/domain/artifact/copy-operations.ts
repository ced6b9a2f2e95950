import type { IndexedTree } from "../codeindex/model.ts";
import type { Look } from "../port.ts";
import type { CopyAsk, WrittenCopy } from "./port.ts";

type Copying = Pick<Look, "ports" | "signal" | "progress">;

type Copied = WrittenCopy & { readonly id: string; readonly builtAt: string };

interface Ask extends Pick<CopyAsk, "out" | "mode" | "isIncremental"> {
  /** Gives back the room that replaced chunks left. */
  readonly compacts?: boolean;
}

/** Copies the index of a work tree, as it is now, into a SQLite file. Refuses with NO_INDEX where none was built. */
export const copyIndex = (look: Copying, repository: IndexedTree, ask: Ask): Promise<Copied> =>
  look.ports.codeindex.hold(repository, () => writeCopy(look, repository, ask));

async function writeCopy(look: Copying, repository: IndexedTree, { compacts, ...ask }: Ask): Promise<Copied> {
  const { codeindex, artifact } = look.ports;
  const status = await codeindex.readStatus(repository, look.signal);
  const builtAt = status.built?.state.builtAt ?? "";
  const { head, branch } = status.git;
  const meta = { repo: repository.root, head: head ?? "", branch: branch ?? "", builtAt, content: status.fingerprint };
  const { signal, progress } = look;
  const chunks = codeindex.readChunks(repository, signal);
  const copy = await artifact.writeCopy({ ...ask, meta, signal, progress, folder: status.folder }, chunks);
  const found = { ...copy, id: status.id, builtAt };
  if (!compacts) return found;
  const { folder } = status;
  const { after } = await artifact.compactCopy({ folder, out: ask.out, isDry: false, keepsBackup: false, signal });
  return { ...found, bytes: after ?? copy.bytes };
}
