interface Limits {
  readonly seconds: number;
  /** In every repository inside of this one it would have another git look for changes, under that one's configuration. */
  readonly looksInside?: boolean;
}

/**
 * Every command we run on a repository, with the time it may take. What is not here does not compile, and what is here
 * is tried against everything that a hostile repository can configure (GT30): whoever adds a command adds it there too.
 */
export const gitCommands = {
  blame: { seconds: 60 },
  "cat-file": { seconds: 60 },
  "check-attr": { seconds: 20 },
  "check-ref-format": { seconds: 10 },
  cherry: { seconds: 60 },
  "commit-tree": { seconds: 20 },
  "diff-index": { seconds: 60, looksInside: true },
  "diff-tree": { seconds: 60 },
  "for-each-ref": { seconds: 20 },
  "hash-object": { seconds: 300 },
  log: { seconds: 20 },
  "ls-files": { seconds: 20 },
  // Asks a remote which branches it has.
  "ls-remote": { seconds: 60 },
  "ls-tree": { seconds: 20 },
  "merge-base": { seconds: 20 },
  "merge-file": { seconds: 20 },
  "merge-tree": { seconds: 60 },
  mktree: { seconds: 20 },
  // Sends a branch to a remote, by its address.
  push: { seconds: 300 },
  // Writes a whole checkout.
  "read-tree": { seconds: 300 },
  "rev-list": { seconds: 20 },
  "rev-parse": { seconds: 10 },
  status: { seconds: 60, looksInside: true },
  "symbolic-ref": { seconds: 10 },
  "update-index": { seconds: 20 },
  "update-ref": { seconds: 20 },
  "write-tree": { seconds: 60 },
} as const satisfies Readonly<Record<string, Limits>>;

export type GitVerb = keyof typeof gitCommands;

/** A command and its arguments. Settings for one command stand apart, in `settings`. */
export type GitArgs = readonly [GitVerb, ...string[]];

/** What git is really asked, and how long it may take. A repository inside counts by the commit that is checked out in it. */
export function limitCommand([verb, ...words]: GitArgs): { readonly args: string[]; readonly timeoutMs: number } {
  const limits: Limits | undefined = gitCommands[verb];
  if (limits === undefined) throw new Error(`git ${verb} is none of the commands we run`);
  const looksInside = limits.looksInside === true;
  if (looksInside && words.some((word) => /^--ignore-submodules=(?:none|untracked)$/.test(word))) {
    throw new Error(`git ${verb} would run another git in the repositories inside`);
  }
  return { args: [verb, ...(looksInside ? [outside] : []), ...words], timeoutMs: limits.seconds * 1_000 };
}

const outside = "--ignore-submodules=dirty";
