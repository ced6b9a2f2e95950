import type { Hand } from "../../src/domain/errand.ts";
import type { MadeWorktree, MakeWorktree } from "../../src/domain/worktree/port.ts";
import { openTestHouse, type StoreKind, type TestHouse } from "../../src/testing/house.ts";
import { until } from "../../src/testing/waiting.ts";

export type MakeHand = Hand<MakeWorktree, MadeWorktree>;

/** What a hand answers when all went well, without any git behind it. */
export const made = ({ repositoryPath, path }: MakeWorktree): MadeWorktree => ({
  repositoryPath,
  path,
  head: "0123456789012345678901234567890123456789",
  behind: 3,
  skippedFilters: [],
});

/** A house that has only this hand, and believes in any place. */
export async function openWith(
  hand: MakeHand,
  kind: StoreKind = "sqlite",
  more: Parameters<typeof openTestHouse>[1] = {},
): Promise<TestHouse> {
  return openTestHouse(kind, {
    hands: { "worktree.make": hand },
    ports: { worktree: { checkGround: async ({ repositoryPath, path }) => ({ repositoryPath, path }) } },
    ...more,
  });
}

export async function ask(
  house: TestHouse,
  name = "one",
): Promise<{ args: Record<string, unknown>; workflowId: string }> {
  const workflow = { name: "Shop", source_type: "prompt", source_content: "x", repository_path: "/srv/code/shop" };
  const { id: workflowId } = await house.call<{ id: string }>("workflow_create", workflow);
  const path = `/srv/code/shop-worktrees/${name}`;
  return { workflowId, args: { workflow_id: workflowId, path, branch: `work/${name}`, create_worktree: true } };
}

export interface Row {
  readonly kind: string;
  readonly key: string;
  readonly subject: string;
  readonly status: string;
  readonly attempts: number;
  readonly place: string;
  readonly error: string | null;
}

export const rowsOf = (house: TestHouse): Promise<Row[]> =>
  house.house.store.read((db) => db.all(db.q.selectFrom("errand").selectAll().orderBy("createdAt"))) as Promise<Row[]>;

export const outcomes = async (house: TestHouse): Promise<string[]> =>
  (await house.entries()).map(({ kind }) => kind).filter((kind) => /^worktree\.(prepared|failed)$/.test(kind));

/** Time passes until the call has been answered. */
export async function pressOn<T>(house: TestHouse, answer: Promise<T>): Promise<T> {
  let isAnswered = false;
  const mark = () => {
    isAnswered = true;
  };
  answer.then(mark, mark);
  await until(async () => {
    if (isAnswered) return true;
    house.clock.advance(61_000);
    await house.house.errands.settle();
    return false;
  });
  return answer;
}

export async function untilRow(house: TestHouse, fits: (row: Row) => boolean): Promise<void> {
  await until(async () => (await rowsOf(house)).some(fits));
}

export async function pauseBefore(house: TestHouse): Promise<number> {
  const row = await house.house.store.read((db) => db.first(db.q.selectFrom("errand").selectAll()));
  return (row?.nextAt ?? 0) - (row?.updatedAt ?? 0);
}
