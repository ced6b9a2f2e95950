import { noteBaseTold, type Outlook } from "../forecast/operations.ts";
import { leaveFinding, takeBackNotices } from "../message/notice-operations.ts";
import { listCommitNotices } from "../message/notice-queries.ts";
import type { SystemWork } from "../work.ts";
import type { Occupant } from "./collision-model.ts";
import { sayRadar } from "./radar-rules.ts";

/** Leaves word for agents whose base has moved on in what concerns them, or has their work; takes back what is over. */
export async function noteRadar(
  work: SystemWork,
  { worktrees, base }: Outlook,
  occupants: ReadonlyMap<string, Occupant>,
): Promise<void> {
  const readers = worktrees.flatMap((worktree) => {
    const reader = occupants.get(worktree.path);
    return reader === undefined ? [] : [{ reader, word: sayRadar(worktree, base) }];
  });
  const left = await listCommitNotices(
    work.db,
    readers.map(({ reader }) => reader.agentId),
  );
  for (const { reader, word } of readers) {
    const { agentId, developerId } = reader;
    const own = left.filter((notice) => notice.agentId === agentId);
    const isOver = own.filter(({ about, deliveredAt }) => deliveredAt === null && about !== word?.about);
    await takeBackNotices(
      work,
      isOver.map(({ id }) => id),
    );
    if (word === undefined || own.some(({ about }) => about === word.about)) continue;
    await leaveFinding(work, { developerId, agentId, about: word.about, text: word.text });
    noteBaseTold(work, { agentId, developerId, what: word.what });
  }
}
