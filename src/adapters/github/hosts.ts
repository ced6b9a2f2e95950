import { Refusal } from "../../contract/refusal.ts";
import type { CodeHost } from "../../domain/pull/port.ts";
import { findRemote, type Remote, type RemoteLogin } from "../git/push.ts";
import type { Repository } from "../git/repository.ts";
import { apiUrlOf, type GitHubSettings, readAddress } from "./address.ts";
import { type GitHubClient, openGitHub } from "./client.ts";
import { readGitHubToken } from "./token.ts";

/** GitHub as this server reaches it. */
export interface GitHub {
  /** The repository that a local one is a clone of; null where its remote is no code host we know. */
  findHost(repository: Repository): Promise<CodeHost | null>;
  client(): Promise<GitHubClient>;
  /** Where pushes go, with what proves us there. */
  findWay(repository: Repository): Promise<{ readonly remote: Remote; readonly login: RemoteLogin | undefined }>;
}

interface GitHubOptions {
  readonly settings: GitHubSettings;
  readonly env: NodeJS.ProcessEnv;
  readonly timeoutMs?: number;
}

export function reachGitHub({ settings, env, timeoutMs }: GitHubOptions): GitHub {
  const apiUrl = apiUrlOf(settings);
  const readToken = (): Promise<string | undefined> => readGitHubToken(webHostOf(apiUrl), env);
  return {
    async findHost(repository) {
      const remote = await findRemote(repository);
      const address = remote && readAddress(remote.url, settings);
      return remote && address ? { apiUrl, owner: address.owner, name: address.name, remote: remote.name } : null;
    },
    client: async () => openGitHub({ apiUrl, token: await readToken(), timeoutMs }),
    async findWay(repository) {
      const remote = await findRemote(repository);
      const address = remote && readAddress(remote.url, settings);
      if (!remote || !address) throw new Refusal("INVALID_STATE", "The remote is not the code host's any more.");
      const token = await readToken();
      return { remote, login: token === undefined ? undefined : { host: address.host, token } };
    },
  };
}

/** The host whose tokens are asked for: `api.github.com` is github.com's. */
const webHostOf = (apiUrl: string): string => new URL(apiUrl).hostname.replace(/^api\./, "");
