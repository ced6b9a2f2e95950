import { resolve } from "node:path";
import { exitCodes } from "../../../contract/errors.ts";
import type { AnswerOf } from "../../../tools/calls.ts";
import { openApi } from "../api.ts";
import { answer, note } from "../context.ts";
import { resolveIn } from "../record.ts";
import type { Shell } from "../shell.ts";
import { table } from "../table.ts";
import { agoText, count, none } from "../text.ts";

type Copy = AnswerOf<"vault_list">["entries"][number];
type Restored = AnswerOf<"vault_restore">;

/** Copies of removed worktrees. */
export function addVault(shell: Shell): void {
  const group = shell.add({
    name: "vault",
    summary: "Restore removed worktrees",
    examples: ["vault list", "vault restore ID"],
  });

  const list = shell
    .add(
      {
        name: "list",
        summary: "List saved copies of removed worktrees",
        examples: ["vault list", "vault list --all"],
      },
      group,
    )
    .option("--all", "include deleted copies");
  shell.does<{ all?: true }>(list, async (context, options) => {
    const ask = { include_dropped: options.all ?? false };
    const { entries } = await (await openApi(context)).call("vault_list", ask);
    answer(context, { entries }, () =>
      entries.length === 0
        ? ["No copies. Nothing has been removed yet."]
        : table(entries.map(rowOf), {
            screen: context.screen,
            heading: ["ID", "CREATED", "HOLDS", "STATUS", "BRANCH", "PATH"],
            flexible: [5],
          }),
    );
    return undefined;
  });

  const restore = shell
    .add(
      {
        name: "restore",
        summary: "Restore a removed worktree",
        examples: ["vault restore ID", "vault restore ID --to ../shop-worktrees/again"],
      },
      group,
    )
    .argument("<id>", "the copy's id or the beginning of it")
    .option("--to <dir>", "target folder (default: where it was)");
  shell.does<{ to?: string }>(restore, async (context, { to }, [given = ""]) => {
    const api = await openApi(context);
    const { entries } = await api.call("vault_list", { include_dropped: true });
    const id = resolveIn(
      entries.map((entry) => entry.id),
      given,
    );
    const ask = { id, ...(to === undefined ? {} : { to: resolve(to) }) };
    const restored = await api.call("vault_restore", ask);
    answer(context, restored, () => [restored.restored ? `Restored to ${restored.path}` : stateOfRestore(restored)]);
    if (restored.restored) note(context, "The copy stays in the vault.");
    return restored.restored && restored.problem === null ? exitCodes.done : exitCodes.refused;
  });
}

const stateOfRestore = ({ problem }: Restored): string => problem ?? "The restore is still running.";

function rowOf(copy: Copy): string[] {
  return [copy.id, agoText(copy.created_at), contentOf(copy), stateOf(copy), branchOf(copy), copy.path];
}

function contentOf({ commits, staged, unstaged, untracked }: Copy): string {
  const files = staged + unstaged + untracked;
  const parts = [...(commits > 0 ? [count(commits, "commit")] : []), ...(files > 0 ? [count(files, "file")] : [])];
  return parts.length === 0 ? none : parts.join(", ");
}

const stateOf = ({ dropped_at, restored_at, merged }: Copy): string =>
  dropped_at !== null ? "deleted" : restored_at !== null ? "restored" : merged ? "merged" : "saved";

const branchOf = ({ branch }: Copy): string => branch?.replace(/^refs\/heads\//, "") ?? none;
