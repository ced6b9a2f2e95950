import { dirname } from "node:path";
import { type Silenced, silenceFilters } from "./filters.ts";
import { type GitCommand, type GitOutput, type GitProgram, runGit } from "./run.ts";

/** What git says a folder is, without looking at the folders around it. */
interface Found {
  /** The folder in which git keeps what it notes for this working tree alone. */
  readonly gitDir: string;
  /** Where objects, refs and the configuration of all working trees are. */
  readonly commonDir: string;
  readonly isBare: boolean;
  readonly algorithm: "sha1" | "sha256";
}

/** One repository, or one way to it, for as long as a piece of work takes. */
export interface OpenedGit {
  /** Undefined where there is no repository at exactly this place that git would use. */
  find(place: string): Promise<Found | undefined>;
  /** Runs a command in a git folder. None of the filters that are configured there has a say. */
  run(gitDir: string, command: Omit<GitCommand, "signal">): Promise<GitOutput>;
  /** A command that touches no file's content, where no git folder is known yet. */
  ask(command: Omit<GitCommand, "signal">): Promise<GitOutput>;
  /** The filters that are configured there and that we never run. */
  listSkippedFilters(gitDir: string): Promise<string[]>;
}

/** The one opener: whatever looks at a repository or works in one runs git through it. */
export function openGit(program: GitProgram, signal?: AbortSignal): OpenedGit {
  const silenced = new Map<string, Promise<Silenced>>();
  const ask: OpenedGit["ask"] = (command) => runGit(program, { ...command, signal });
  const silence = (gitDir: string): Promise<Silenced> => {
    const known = silenced.get(gitDir) ?? silenceFilters(ask, gitDir);
    silenced.set(gitDir, known);
    return known;
  };
  return {
    ask,
    async find(place) {
      const args = ["rev-parse", "--path-format=absolute", ...asked];
      const { code, text } = await ask({ args, cwd: place, env: onlyHere(place), answers: [128] });
      const [gitDir, commonDir, isBare, format] = text.split("\n");
      if (code !== 0 || gitDir === undefined || commonDir === undefined) return undefined;
      return { gitDir, commonDir, isBare: isBare === "true", algorithm: format === "sha256" ? "sha256" : "sha1" };
    },
    async run(gitDir, command) {
      const { settings } = await silence(gitDir);
      return ask({ ...command, env: { ...settings, ...command.env, GIT_DIR: gitDir } });
    },
    listSkippedFilters: async (gitDir) => (await silence(gitDir)).names,
  };
}

const asked = ["--absolute-git-dir", "--git-common-dir", "--is-bare-repository", "--show-object-format"];

/** Keeps git from going on to the folder around this one when there is no repository here. */
export const onlyHere = (place: string): Record<string, string> => ({ GIT_CEILING_DIRECTORIES: dirname(place) });
