import { existsSync } from "node:fs";
import type { Hand } from "../../domain/errand.ts";
import type { Ports } from "../../domain/port.ts";
import type { DropCopy } from "../../domain/worktree/port.ts";
import { deliverFeedback } from "./feedback.ts";
import { checkGround } from "./ground.ts";
import type { GitHost } from "./host.ts";
import { makeWorktrees } from "./make.ts";
import { findCommit } from "./refs.ts";
import { removeWorktrees } from "./remove.ts";
import { restoreWorktrees } from "./restore.ts";
import { readShape } from "./shape.ts";
import { storeWorktrees } from "./store.ts";
import { readWorkTree } from "./work-tree.ts";

/** What git does for the house, by kind of work. */
export const gitHands = (host: GitHost) => ({
  "worktree.make": makeWorktrees(host),
  "worktree.store": storeWorktrees(host),
  "worktree.remove": removeWorktrees(host),
  "vault.restore": restoreWorktrees(host),
  "vault.drop": dropCopies(host),
  "review.deliver": deliverFeedback(host),
});

/** What git tells the house before it decides. */
export const gitPorts = (host: GitHost) =>
  ({
    instance: { readWorkTree },
    review: { readShape },
    worktree: {
      checkGround: (ask, signal) =>
        host.look(ask.repositoryPath, signal, (repository) => checkGround(repository, ask, host)),
    },
  }) satisfies GitPorts;

interface GitPorts extends Pick<Ports, "worktree"> {
  readonly instance: Pick<Ports["instance"], "readWorkTree">;
  readonly review: Pick<Ports["review"], "readShape">;
}

/** A copy goes when its ref does; where the repository itself is gone there is nothing left to let go. */
const dropCopies = (host: GitHost): Hand<DropCopy, null> => ({
  async run({ repositoryPath, ref, commit }, turn) {
    if (!existsSync(repositoryPath)) return null;
    return host.work(repositoryPath, turn.signal, async (repository) => {
      if ((await findCommit(repository, ref)) !== undefined) await repository.git(["update-ref", "-d", ref, commit]);
      return null;
    });
  },
});
