import { join } from "node:path";
import { gitHands, gitPorts } from "../../src/adapters/git/hands.ts";
import { openGitHost } from "../../src/adapters/git/host.ts";
import { pullHands, pullPorts } from "../../src/adapters/github/hands.ts";
import { reachGitHub } from "../../src/adapters/github/hosts.ts";
import { dispatch } from "../../src/engine/dispatch.ts";
import { openTestHouse, type StoreKind, type TestHouse } from "../../src/testing/house.ts";
import { git, makeFolder, makeRepository, type TestRepository } from "../git/scratch.ts";
import { FakeGitHub } from "../github/fake-github.ts";
import type { Doom } from "../review/doom.ts";

export interface HostScene {
  readonly house: TestHouse;
  readonly repository: TestRepository;
  readonly github: FakeGitHub;
  /** What the remote has. */
  readonly remote: string;
  call(tool: string, args: object, role?: string): Promise<Record<string, unknown>>;
  /** Another server on what the one before has left, as after a kill; it finishes what it finds. */
  openAgain(): Promise<void>;
}

/** A clone of acme/shop whose remote is a folder, with work on a branch, and GitHub as a server that we play. */
export async function openHostScene(
  kind: StoreKind = "sqlite",
  options: { timeoutMs?: number; hasHands?: boolean; doom?: Doom } = {},
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
  const hands = options.hasHands === false ? {} : { ...gitHands(host), ...pullHands(host, github) };
  const open = (more: { location?: string } = {}) =>
    openTestHouse(kind, {
      hands: options.doom ? options.doom.watch(hands) : hands,
      ports: { ...gitPorts(host), ...pullPorts(host, github, () => "/pulls/{number}") },
      ...more,
    });
  let house = await open();
  return {
    get house() {
      return house;
    },
    repository,
    github: fake,
    remote,
    async call(tool, args, role) {
      const seat = { role, isHere: true };
      const call = { tool, args, caller: house.owner, transport: "mcp", folder: repository.path, seat } as const;
      const reply = await dispatch(house.house, call);
      return reply.ok ? (reply.value as Record<string, unknown>) : reply.failure;
    },
    async openAgain() {
      const { location, owner } = house;
      await options.doom?.kill();
      house = Object.assign(await open({ location }), { owner });
      await house.house.errands.settle();
    },
  };
}
