import { resolve } from "node:path";
import { exitCodes } from "../../../contract/errors.ts";
import type { AnswerOf } from "../../../tools/calls.ts";
import { openApi } from "../api.ts";
import { answer, note } from "../context.ts";
import type { Shell } from "../shell.ts";
import { count, table } from "../text.ts";

type Copy = AnswerOf<"vault_list">["entries"][number];
type Restored = AnswerOf<"vault_restore">;

/** Copies of removed worktrees. */
export function addVault(shell: Shell): void {
  const group = shell.add({
    name: "vault",
    summary: "Copies of removed worktrees",
    examples: ["vault list", "vault restore ID"],
  });

  const list = shell
    .add(
      {
        name: "list",
        summary: "Show what was kept of removed worktrees",
        examples: ["vault list", "vault list --all"],
      },
      group,
    )
    .option("--all", "show those too that were let go since");
  shell.does<{ all?: true }>(list, async (context, options) => {
    const ask = { include_dropped: options.all ?? false };
    const { entries } = await (await openApi(context)).call("vault_list", ask);
    answer(context, { entries }, () =>
      entries.length === 0
        ? ["Nothing was removed yet."]
        : table([["ID", "MADE", "HOLDS", "STATE", "BRANCH", "PATH"], ...entries.map(rowOf)]),
    );
    return undefined;
  });

  const restore = shell
    .add(
      {
        name: "restore",
        summary: "Put a removed worktree back, byte for byte",
        examples: ["vault restore ID", "vault restore ID --to ../shop-worktrees/again"],
      },
      group,
    )
    .argument("<id>", "the copy's id, as `crewdeck vault list` shows it")
    .option("--to <dir>", "where to put it (default: where it was)");
  shell.does<{ to?: string }>(restore, async (context, { to }, [id = ""]) => {
    const ask = { id, ...(to === undefined ? {} : { to: resolve(to) }) };
    const restored = await (await openApi(context)).call("vault_restore", ask);
    answer(context, restored, () => [restored.restored ? `Restored to ${restored.path}` : stateOfRestore(restored)]);
    if (restored.restored) note(context, "The copy stays in the vault.");
    return restored.restored && restored.problem === null ? exitCodes.done : exitCodes.refused;
  });
}

const stateOfRestore = ({ problem }: Restored): string => problem ?? "It is still being restored.";

function rowOf(copy: Copy): string[] {
  return [copy.id, copy.created_at.slice(0, 16), contentOf(copy), stateOf(copy), branchOf(copy), copy.path];
}

function contentOf({ commits, staged, unstaged, untracked }: Copy): string {
  const files = staged + unstaged + untracked;
  const parts = [...(commits > 0 ? [count(commits, "commit")] : []), ...(files > 0 ? [count(files, "file")] : [])];
  return parts.length === 0 ? "nothing of its own" : parts.join(", ");
}

const stateOf = ({ dropped_at, restored_at, merged }: Copy): string =>
  dropped_at !== null ? "let go" : restored_at !== null ? "restored" : merged ? "merged" : "kept";

const branchOf = ({ branch }: Copy): string => branch?.replace(/^refs\/heads\//, "") ?? "(none)";
