import { homedir } from "node:os";
import { join } from "node:path";
import { entriesIn, isHarmless, type RunPlain, writeSettings } from "./settings.ts";

/** What we take over of the configuration of the account that we run under. */
interface OwnSettings {
  readonly text: string;
  /** Folders of other accounts that the user has called safe; `*` stands for all. */
  readonly safeFolders: readonly string[];
}

const rereadAfterMs = 60_000;
let known: { readonly home: string; readonly readAt: number; readonly settings: Promise<OwnSettings> } | undefined;

/** The user's own settings are theirs to make, but their filters would run on anybody's files: they are not taken over. */
export function readOwnSettings(run: RunPlain, cwd: string): Promise<OwnSettings> {
  const home = homedir();
  if (known?.home !== home || Date.now() - known.readAt > rereadAfterMs) {
    known = { home, readAt: Date.now(), settings: read(run, cwd, home) };
    known.settings.catch(() => {
      known = undefined;
    });
  }
  return known.settings;
}

async function read(run: RunPlain, cwd: string, home: string): Promise<OwnSettings> {
  const args = ["config", "--global", "--includes", "--list", "-z"];
  const { code, stdout } = await run({ args, cwd, timeoutMs: 5_000, answers: [1, 2, 3, 128] });
  const entries = code === 0 ? entriesIn(stdout) : [];
  const fileAt = (key: string, usual: string): [string, string] => {
    const named = entries.findLast(([one]) => one === key)?.[1];
    const inBytes = Buffer.from(home).toString("latin1");
    return [key, (named ?? join(inBytes, ".config", "git", usual)).replace(/^~(?=\/)/, () => inBytes)];
  };
  const taken = entries.filter((entry) => isHarmless(entry) && ownKeys.test(entry[0]));
  const files = [fileAt("core.excludesfile", "ignore"), fileAt("core.attributesfile", "attributes")];
  // An empty one takes back those before it.
  const safe = entries.flatMap(([key, value]) => (key === "safe.directory" ? [value] : []));
  return {
    text: writeSettings([...taken, ...files.filter(([, path]) => /^[ -~\x80-\xff]+$/.test(path))]),
    safeFolders: safe.slice(safe.lastIndexOf("") + 1),
  };
}

const ownKeys = /^(?:core\.(?:autocrlf|eol|filemode|ignorecase|precomposeunicode|symlinks)|user\.(?:name|email))$/;
