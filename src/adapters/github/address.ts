/** Where GitHub is asked, and by whom. */
export interface GitHubSettings {
  /** Another address than github.com's, such as that of an Enterprise server. */
  readonly apiUrl?: string | undefined;
  readonly pollSeconds?: number | undefined;
}

interface GitHubAddress {
  readonly host: string;
  readonly owner: string;
  readonly name: string;
}

const publicHosts = ["github.com", "www.github.com", "ssh.github.com"];
const publicApi = "https://api.github.com";

export const apiUrlOf = ({ apiUrl }: GitHubSettings): string => (apiUrl ?? publicApi).replace(/\/+$/, "");

/** The repository that a remote's address names at GitHub; undefined where it is kept elsewhere. */
export function readAddress(remoteUrl: string, settings: GitHubSettings): GitHubAddress | undefined {
  const found = split(remoteUrl);
  if (!found || !isGitHub(found.host, settings)) return undefined;
  const [owner, name, ...rest] = found.path.replace(/^\/+|\/+$/g, "").split("/");
  const plain = name?.replace(/\.git$/i, "");
  if (!owner || !plain || rest.length > 0 || ![owner, plain].every((part) => /^[\w.-]{1,100}$/.test(part)))
    return undefined;
  return { host: found.host, owner, name: plain };
}

function split(url: string): { readonly host: string; readonly path: string } | undefined {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(url)) {
    if (!URL.canParse(url)) return undefined;
    const { protocol, hostname, pathname } = new URL(url);
    return ["https:", "http:", "ssh:", "git:"].includes(protocol)
      ? { host: hostname.toLowerCase(), path: pathname }
      : undefined;
  }
  // The short form of SSH: git@host:owner/name.git
  const [, host, path] = /^(?:[\w.-]+@)?([\w.-]+):(?!\/\/)(.+)$/.exec(url) ?? [];
  return host !== undefined && path !== undefined && host.length > 1 ? { host: host.toLowerCase(), path } : undefined;
}

/** An Enterprise server is known by its own name, with or without `api.` in front. */
function isGitHub(host: string, { apiUrl }: GitHubSettings): boolean {
  if (publicHosts.includes(host)) return true;
  if (apiUrl === undefined || !URL.canParse(apiUrl)) return false;
  const own = new URL(apiUrl).hostname.toLowerCase();
  return host === own || `api.${host}` === own;
}
