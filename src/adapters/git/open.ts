import { basename, dirname } from "node:path";
import { type GitArgs, limitCommand } from "./commands.ts";
import { findFolders, type GitFolders, isTrusted, readConfigurations } from "./discover.ts";
import { readOwnSettings } from "./own-settings.ts";
import { realPath } from "./repository.ts";
import { type GitCommand, type GitOutput, type GitProgram, gitError, runGit } from "./run.ts";
import { type Entry, entriesIn, type RunPlain, readSettings, type Settings } from "./settings.ts";
import { describeView, throughView, type View, viewRoot } from "./view.ts";
import { listLinkedWorktrees } from "./worktrees.ts";

/** What a folder is as a repository, without looking at the folders around it. */
interface Found extends GitFolders {
  readonly isBare: boolean;
  readonly algorithm: "sha1" | "sha256";
  /** Where the configuration puts the working tree; undefined where it says nothing. */
  readonly workTree: string | undefined;
}

/** One command on a repository. */
type Command = Omit<GitCommand, "signal" | "args"> & { readonly args: GitArgs };

/** One repository, or one way to it, for as long as a piece of work takes. */
interface OpenedGit {
  /** Undefined where there is no repository at exactly this place that git would use. */
  find(place: string): Promise<Found | undefined>;
  /** Runs a command in a git folder, as `find` gave it. Nothing that is configured there has a say. */
  run(folders: GitFolders | string, command: Command): Promise<GitOutput>;
  /** What is configured there and for the account, as data: nothing of it is heeded. */
  listEntries(folders: GitFolders): Promise<Entry[]>;
  /** Every folder in which this repository is checked out, its main one first. */
  listWorktrees(folders: GitFolders): Promise<string[]>;
}

/** The one opener: whatever looks at a repository or works in one runs git through it. */
export function openGit(program: GitProgram, signal?: AbortSignal): OpenedGit {
  const views = new Map<string, Promise<View>>();
  const known = new Map<string, GitFolders>();
  const plain: RunPlain = (command) => {
    const cwd = viewRoot();
    return runGit(program, { ...command, cwd, env: { GIT_CEILING_DIRECTORIES: dirname(cwd) }, signal });
  };
  const settingsOf = async (folders: GitFolders): Promise<Settings | undefined> => {
    const { shared, own } = await readConfigurations(folders);
    const reader = { program: program.program, cwd: viewRoot() };
    const settings = await readSettings(plain, shared, reader);
    if (!settings?.hasOwn) return settings;
    return readSettings(plain, Buffer.concat([shared, Buffer.from("\n"), own]), reader);
  };
  const ownSettings = () => readOwnSettings(plain, viewRoot());
  const lookAt = async (folders: GitFolders): Promise<View> => {
    const settings = await settingsOf(folders);
    if (settings === undefined) throw gitError("config", "the repository's configuration cannot be used");
    return describeView(folders, `${(await ownSettings()).text}${settings.text}${settled}`);
  };
  return {
    async find(place) {
      const folders = await findFolders(place);
      if (folders === undefined) return undefined;
      const settings = await settingsOf(folders);
      if (settings === undefined) return undefined;
      if (!(await isTrusted(place, folders, async () => (await ownSettings()).safeFolders))) return undefined;
      const { isBare = folders.gitDir === place, algorithm, workTree } = settings;
      known.set(folders.gitDir, folders);
      return { ...folders, isBare, algorithm, workTree };
    },
    async run(wanted, command) {
      const folders =
        typeof wanted === "string" ? (known.get(wanted) ?? { gitDir: wanted, commonDir: wanted }) : wanted;
      const { gitDir } = folders;
      const view = views.get(gitDir) ?? lookAt(folders);
      views.set(gitDir, view);
      const { args, timeoutMs } = limitCommand(command.args);
      return throughView(await view, gitDir, (variables) =>
        runGit(program, {
          timeoutMs,
          ...command,
          args,
          env: { HOME: viewRoot(), ...command.env, ...variables },
          signal,
        }),
      );
    },
    async listEntries(folders) {
      const { shared, own } = await readConfigurations(folders);
      const input = Buffer.concat([shared, Buffer.from("\n"), own]);
      const ofAccount = { args: ["config", "--global", "--includes", "--list", "-z"], cwd: viewRoot() };
      const ofFile = { args: ["config", "--file", "-", "--no-includes", "--list", "-z"], cwd: viewRoot(), input };
      const lists = await Promise.all(
        [ofAccount, ofFile].map((command) => plain({ ...command, timeoutMs: 5_000, answers: [1, 2, 3, 128] })),
      );
      return lists.flatMap(({ code, stdout }) => (code === 0 ? entriesIn(stdout) : []));
    },
    async listWorktrees({ commonDir }) {
      const linked = await listLinkedWorktrees({ commonDir });
      const main = basename(commonDir) === ".git" ? [dirname(commonDir)] : [];
      return [...main, ...linked.map(({ path }) => path)].filter((path) => realPath(path) === path);
    },
  };
}

/** Nobody's log but a worktree's own is written: it could be a link to anywhere. */
const settled = "[core]\n\tlogAllRefUpdates = false\n";
