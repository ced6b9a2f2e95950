import { join } from "node:path";
import { gitHands, gitPorts } from "../../src/adapters/git/hands.ts";
import { openGitHost } from "../../src/adapters/git/host.ts";
import { pullHands, pullPorts } from "../../src/adapters/github/hands.ts";
import { reachGitHub } from "../../src/adapters/github/hosts.ts";
import { dispatch } from "../../src/engine/dispatch.ts";
import { openTestHouse, type StoreKind, type TestHouse } from "../../src/testing/house.ts";
import { git, makeFolder, makeRepository, type TestRepository } from "../git/scratch.ts";
import { FakeGitHub } from "../github/fake-github.ts";

export interface HostScene {
  readonly house: TestHouse;
  readonly repository: TestRepository;
  readonly github: FakeGitHub;
  /** What the remote has. */
  readonly remote: string;
  call(tool: string, args: object, role?: string): Promise<Record<string, unknown>>;
}

/** A clone of acme/shop whose remote is a folder, with work on a branch, and GitHub as a server that we play. */
export async function openHostScene(
  kind: StoreKind = "sqlite",
  options: { timeoutMs?: number; hasHands?: boolean } = {},
): Promise<HostScene> {
  const fake = await FakeGitHub.start();
  const repository = makeRepository();
  const remote = join(makeFolder(), "shop.git");
  git(repository.path, "clone", "-q", "--bare", ".", remote);
  repository.git("remote", "add", "origin", "https://github.com/acme/shop.git");
  repository.git("config", `url.${remote}.insteadOf`, "https://github.com/acme/shop.git");
  repository.git("checkout", "-q", "-b", "work/login");
  repository.commit("login", { "login.txt": "in\n" });
  const host = openGitHost({ dataDir: makeFolder() });
  const github = reachGitHub({
    settings: { apiUrl: fake.url },
    env: { GITHUB_TOKEN: fake.token },
    timeoutMs: options.timeoutMs ?? 20_000,
  });
  const house = await openTestHouse(kind, {
    hands: options.hasHands === false ? {} : { ...gitHands(host), ...pullHands(host, github) },
    ports: { ...gitPorts(host), ...pullPorts(host, github, () => "/pulls/{number}") },
  });
  return {
    house,
    repository,
    github: fake,
    remote,
    async call(tool, args, role) {
      const seat = { role, isHere: true };
      const call = { tool, args, caller: house.owner, transport: "mcp", folder: repository.path, seat } as const;
      const reply = await dispatch(house.house, call);
      return reply.ok ? (reply.value as Record<string, unknown>) : reply.failure;
    },
  };
}
