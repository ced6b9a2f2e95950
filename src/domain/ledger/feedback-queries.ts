import type { DeveloperId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";

/** Something an agent was warned about or kept from, as it was told. */
interface Feedback {
  readonly type: "warning" | "block";
  readonly message: string;
  readonly requiredAction: string | null;
  readonly code: string | null;
  /** The record it is about. */
  readonly subject: string;
  readonly at: number;
}

interface FeedbackAsk {
  readonly developerId: DeveloperId;
  /** Only of this type; of some types there never are any. */
  readonly type?: string | undefined;
  /** Only with this code. */
  readonly code?: string | undefined;
  /** Only at this moment or later. */
  readonly since?: number | undefined;
  readonly limit: number;
}

/** What a developer's agents were told, newest first; on PostgreSQL also what still waits for its place in the ledger. */
export async function listFeedback(db: Db, ask: FeedbackAsk): Promise<Feedback[]> {
  const waiting = db.dialect === "postgres" ? await listWaiting(db, ask.developerId) : [];
  const found = waiting.filter((feedback) => fits(feedback, ask)).slice(0, ask.limit);
  for (let before: number | null = null; found.length < ask.limit; ) {
    const page: Page = await readPage(db, ask, before);
    found.push(...page.feedback.filter((feedback) => fits(feedback, ask)).slice(0, ask.limit - found.length));
    before = page.lowest;
    if (before === null || page.feedback.some(({ at }) => at < (ask.since ?? 0))) break;
  }
  return found;
}

const fits = (feedback: Feedback, { type, code, since = 0 }: FeedbackAsk): boolean =>
  (type === undefined || feedback.type === type) &&
  (code === undefined || feedback.code === code) &&
  feedback.at >= since;

interface Page {
  readonly feedback: readonly Feedback[];
  /** Where to go on; null at the end. */
  readonly lowest: number | null;
}

const pageSize = 200;

/** The stream stands in the text: a database uses an index of part of a table only where it sees that part named. */
async function readPage(db: Db, { developerId }: FeedbackAsk, before: number | null): Promise<Page> {
  const [who, below, most] = db.dialect === "postgres" ? ["$1", "$2", "$3"] : ["?", "?", "?"];
  const rows = await db.sql<{ seq: number; at: number; subject: string; data: string }>(
    `select "seq", "at", "subject", "data" from "ledger"
     where "stream" = 'feedback' and "developerId" = ${who} and "seq" < ${below} order by "seq" desc limit (${most} + 0)`,
    [developerId, before ?? Number.MAX_SAFE_INTEGER, pageSize],
  );
  return {
    feedback: rows.map((row) => feedbackOf(row.subject, Number(row.at), JSON.parse(row.data) as Told)),
    lowest: rows.length < pageSize ? null : Number(rows.at(-1)?.seq),
  };
}

async function listWaiting(db: Db, developerId: DeveloperId): Promise<Feedback[]> {
  const rows = await db.sql<{ entry: string }>(
    `select "entry" from "unsealed"
     where "entry"::json ->> 'stream' = 'feedback' and "entry"::json ->> 'developerId' = $1
     order by "xid" desc, "id" desc`,
    [developerId],
  );
  return rows.map((row) => {
    const { subject, at, data } = JSON.parse(row.entry) as { subject: string; at: number; data: Told };
    return feedbackOf(subject, at, data);
  });
}

/** The data of a feedback event. */
interface Told {
  readonly type: Feedback["type"];
  readonly message: string;
  readonly required_action: string | null;
  readonly code: string | null;
}

const feedbackOf = (subject: string, at: number, told: Told): Feedback => ({
  type: told.type,
  message: told.message,
  requiredAction: told.required_action,
  code: told.code,
  subject,
  at,
});
