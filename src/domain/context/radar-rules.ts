/** A worktree and its base, as a forecast tells of them. */
interface Standing {
  readonly head: string;
  readonly fork: string;
  readonly leftOutFor: string | null;
  readonly taken?: string | null;
  readonly doneBy?: object | null;
  readonly behind: {
    readonly commits: number;
    readonly concerning: number;
    readonly newest: readonly { readonly name: string | null; readonly path: string; readonly subject: string }[];
    readonly conflicts: readonly string[];
  } | null;
}

/** What an agent is told of its base, and the commit for which it is told once: `commit_` and its hash. */
interface RadarWord {
  readonly about: string;
  readonly what: "behind" | "merged";
  readonly text: string;
}

/**
 * What the agent in a worktree is to know of its base (FC39): that it has the work already, or what concerns the work.
 * A conflict with the base is told as one, and what may be done already is asked.
 */
export function sayRadar(
  { head, fork, leftOutFor, taken, doneBy, behind }: Standing,
  base: { readonly ref: string } | null,
): RadarWord | undefined {
  if (base === null || leftOutFor !== null) return undefined;
  if (taken && !doneBy) {
    const text = `${base.ref} already has the work of your branch. Start new work from ${base.ref}.`;
    return { about: `commit_${head}`, what: "merged", text };
  }
  if (behind === null || behind.concerning === 0 || behind.conflicts.length > 0) return undefined;
  const { commits, concerning, newest } = behind;
  const more = concerning > newest.length ? `; and ${concerning - newest.length} more` : "";
  const text = [
    `Your worktree is ${commits} ${commits === 1 ? "commit" : "commits"} behind ${base.ref}; ${concerning} ${concerning === 1 ? "concerns" : "concern"} your work. Catch up: git rebase ${base.ref}`,
    `${newest.map(({ name, path, subject }) => `${plain(name ?? path)} (${plain(subject)})`).join("; ")}${more}`,
  ].join("\n");
  return { about: `commit_${fork}`, what: "behind", text };
}

const longestName = 80;

/** Other people's words: on one line, and no longer than leaves room for the rest. */
function plain(name: string): string {
  const line = name.replaceAll(/\p{Cc}+/gu, " ").trim();
  return line.length <= longestName ? line : `${line.slice(0, longestName - 1)}…`;
}
