import type { DiffShape, ShapeAsk } from "../../domain/review/port.ts";
import { findRepository } from "../evidence/git-repository.ts";

const none: DiffShape = { from: null, files: [], fileCount: 0 };
const mostFiles = 200;

/** What a commit changes since it left its base, file by file. */
export async function readShape({ folder, base, head }: ShapeAsk, signal: AbortSignal): Promise<DiffShape> {
  const found = await findRepository(folder, signal);
  if (!found || base === null) return none;
  const fork = await found.run(["merge-base", "--end-of-options", `refs/heads/${base}`, head], [1, 128]);
  const remote =
    fork.code === 0
      ? fork
      : await found.run(["merge-base", "--end-of-options", `refs/remotes/origin/${base}`, head], [1, 128]);
  if (remote.code !== 0) return none;
  const from = remote.text.split("\n")[0] ?? "";
  const flags = ["-r", "-z", "--numstat", "--no-renames", "--no-ext-diff", "--no-textconv"];
  const { stdout } = await found.run(["diff-tree", ...flags, "--end-of-options", from, head]);
  const lines = stdout.toString("utf8").split("\0").filter(Boolean);
  const files = lines.slice(0, mostFiles).map((line) => {
    const [added = "", removed = "", ...name] = line.split("\t");
    return { name: name.join("\t"), added: Number(added) || 0, removed: Number(removed) || 0 };
  });
  return { from, files, fileCount: lines.length };
}
