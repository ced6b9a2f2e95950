import { Refusal } from "../../contract/refusal.ts";
import type { GitArgs } from "./commands.ts";
import type { Repository, Within } from "./repository.ts";
import type { Entry } from "./settings.ts";

/** Proof for a remote that is reached over HTTPS; it never stands in a command line. */
export interface RemoteLogin {
  /** The host it is for and no other. */
  readonly host: string;
  readonly token: string;
}

/** The remote that work goes to. */
export interface Remote {
  readonly name: string;
  /** As it is configured, before any rewriting: what it is called by people. */
  readonly url: string;
  /** Where a push goes. */
  readonly pushUrl: string;
}

/** `origin`, else the only remote there is. */
export async function findRemote(repository: Repository): Promise<Remote | undefined> {
  const entries = await repository.listEntries();
  const names = [
    ...new Set(entries.flatMap(([key]) => /^remote\.([A-Za-z0-9][A-Za-z0-9._-]*)\.url$/.exec(key)?.[1] ?? [])),
  ];
  const name = names.includes("origin") ? "origin" : names.length === 1 ? names[0] : undefined;
  const last = (key: string): string | undefined => entries.findLast(([one]) => one === key)?.[1];
  const url = last(`remote.${name}.url`);
  if (name === undefined || url === undefined || url === "") return undefined;
  const pushUrl = last(`remote.${name}.pushurl`);
  const rewritten = pushUrl === undefined ? (rewrite(entries, "pushinsteadof", url) ?? url) : pushUrl;
  return { name, url, pushUrl: rewrite(entries, "insteadof", rewritten) ?? rewritten };
}

/** What stands in the place of the beginning of an address, by the longest rule that fits; git's own way. */
function rewrite(entries: readonly Entry[], kind: string, url: string): string | undefined {
  const rules = entries.flatMap(([key, from]) => {
    const to = key.startsWith("url.") && key.endsWith(`.${kind}`) ? key.slice(4, -kind.length - 1) : undefined;
    return to !== undefined && from !== "" && url.startsWith(from) ? [{ from, to }] : [];
  });
  const [best] = rules.toSorted((one, other) => other.from.length - one.from.length);
  return best && `${best.to}${url.slice(best.from.length)}`;
}

/** Whether the remote has this branch, asked of the remote itself. */
export async function hasBranch(
  repository: Repository,
  ask: { readonly remote: Remote; readonly branch: string; readonly login: RemoteLogin | undefined },
): Promise<boolean> {
  const way = wayTo(ask.remote, ask.login);
  const args: GitArgs = ["ls-remote", "--exit-code", ...way.upload, "--", way.url, `refs/heads/${ask.branch}`];
  const { code } = await repository.git(args, { ...way.within, answers: [2] });
  return code === 0;
}

/** Brings a commit to a branch of the remote. What the remote has and this commit lacks is never thrown away. */
export async function pushBranch(
  repository: Repository,
  ask: {
    readonly remote: Remote;
    readonly branch: string;
    readonly commit: string;
    readonly login: RemoteLogin | undefined;
  },
): Promise<void> {
  const way = wayTo(ask.remote, ask.login);
  const options = ["--porcelain", "--no-follow-tags", "--no-signed", "--recurse-submodules=no", ...way.receive];
  const args: GitArgs = ["push", ...options, "--", way.url, `${ask.commit}:refs/heads/${ask.branch}`];
  const { code, text } = await repository.git(args, { ...way.within, answers: [1] });
  if (code === 0) return;
  const isBehind = /\((?:non-fast-forward|fetch first|needs force)\)/.test(text);
  throw new Refusal(
    "CONFLICT",
    isBehind ? "The branch has commits at the remote that it lacks here." : "The remote refused the branch.",
    isBehind ? "Merge or rebase onto them, then call again. Nothing was overwritten." : "Check the remote's rules.",
    { detail: text.slice(-2_000) },
  );
}

interface Way {
  readonly url: string;
  /** What runs at the other end of a remote on this machine: git alone, and none of its hooks. */
  readonly receive: readonly string[];
  readonly upload: readonly string[];
  readonly within: Within;
}

/** A remote is reached by its address. Of all protocols only the one of the address is let through. */
function wayTo({ pushUrl: url }: Remote, login: RemoteLogin | undefined): Way {
  const protocol = protocolOf(url);
  if (protocol === undefined) {
    throw new Refusal(
      "GIT_ERROR",
      "The remote's address is of no kind that is used here.",
      "Use HTTPS, SSH or a path.",
    );
  }
  const allowed = { GIT_ALLOW_PROTOCOL: protocol };
  if (protocol === "file") {
    const quiet = (verb: string): string => `git -c core.hooksPath=/dev/null ${verb}`;
    return {
      url,
      receive: [`--receive-pack=${quiet("receive-pack")}`],
      upload: [`--upload-pack=${quiet("upload-pack")}`],
      within: { env: allowed },
    };
  }
  const ends = { receive: ["--receive-pack=git-receive-pack"], upload: ["--upload-pack=git-upload-pack"] };
  if (protocol === "ssh") {
    const { SSH_AUTH_SOCK } = process.env;
    const env = { ...allowed, GIT_SSH_COMMAND: "ssh -oBatchMode=yes", ...(SSH_AUTH_SOCK ? { SSH_AUTH_SOCK } : {}) };
    return { url, ...ends, within: { env } };
  }
  if (!login || !isFor(url, login.host)) return { url, ...ends, within: { env: allowed } };
  const header = `Authorization: Basic ${Buffer.from(`x-access-token:${login.token}`).toString("base64")}`;
  return {
    url,
    ...ends,
    within: {
      env: {
        ...allowed,
        GIT_CONFIG_COUNT: "1",
        GIT_CONFIG_KEY_0: "http.extraHeader",
        GIT_CONFIG_VALUE_0: header,
      },
    },
  };
}

function protocolOf(url: string): "https" | "http" | "ssh" | "file" | undefined {
  if (url.startsWith("-") || url.includes("::")) return undefined;
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(url)?.[1]?.toLowerCase();
  if (scheme !== undefined) return (["https", "http", "ssh", "file"] as const).find((one) => one === scheme);
  return /^[^/]+:/.test(url) ? "ssh" : "file";
}

/** A token goes over an encrypted line, or to this machine itself. */
function isFor(url: string, host: string): boolean {
  const { protocol, hostname, host: place } = new URL(url);
  const isOwn = ["127.0.0.1", "localhost", "[::1]"].includes(hostname);
  return (hostname === host || place === host) && (protocol === "https:" || isOwn);
}
