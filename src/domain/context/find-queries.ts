import { AgentId, type DeveloperId, idPrefixes, NoteId, TaskId, WorkflowId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";

/** A record as somebody at a keyboard may mean it: by its id, by the beginning of its id, by its name or a task's number. */
interface FoundRecord {
  readonly id: string;
  readonly kind: RecordKind;
  readonly title: string;
  readonly developerId: DeveloperId;
  /** The program an agent runs in. */
  readonly client: string | null;
}

export const recordKinds = ["task", "workflow", "agent", "note"] as const;
type RecordKind = (typeof recordKinds)[number];

interface FindAsk {
  readonly term: string;
  readonly kinds: readonly RecordKind[];
  readonly limit: number;
}

/**
 * What looks like an id finds what begins with it, and is one record where it is that record's whole id. Anything else
 * is a name, and digits may be a task's number. The newest first.
 */
export async function findRecords(db: Db, { term, kinds, limit }: FindAsk): Promise<FoundRecord[]> {
  const kind = recordKinds.find((one) => term.startsWith(`${idPrefixes[one]}_`));
  if (kind !== undefined) return kinds.includes(kind) ? listMeant(db, kind, term, limit, true) : [];
  const found: FoundRecord[] = [];
  for (const one of kinds) found.push(...(await listMeant(db, one, term, limit, false)));
  return found.slice(0, limit);
}

/** What comes last of all that begins with a text, in every order of letters a database may have. */
const endOf = (text: string): string => `${text}zzzzzzzz`;

/** `12` and `#12`. */
function numberIn(term: string): number | undefined {
  const digits = /^#?(\d{1,9})$/.exec(term)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

async function listMeant(
  db: Db,
  kind: RecordKind,
  given: string,
  limit: number,
  isId: boolean,
): Promise<FoundRecord[]> {
  // No id is as long; a name may be.
  const term = given.slice(0, 60);
  const name = given.toLowerCase();
  switch (kind) {
    case "task": {
      const all = db.q
        .selectFrom("task")
        .select(["id", "name as title", "developerId"])
        .orderBy("id", "desc")
        .limit(limit);
      const meant = isId
        ? all.where("id", ">=", TaskId.parse(term)).where("id", "<=", TaskId.parse(endOf(term)))
        : all.where((of) => {
            const isNamed = of(of.fn("lower", ["name"]), "=", name);
            const number = numberIn(given);
            return number === undefined ? isNamed : of.or([isNamed, of("number", "=", number)]);
          });
      return (await db.all(meant)).map((row) => ({ client: null, ...row, kind }));
    }
    case "workflow": {
      const all = db.q
        .selectFrom("workflow")
        .select(["id", "name as title", "developerId"])
        .orderBy("id", "desc")
        .limit(limit);
      const meant = isId
        ? all.where("id", ">=", WorkflowId.parse(term)).where("id", "<=", WorkflowId.parse(endOf(term)))
        : all.where((of) => of(of.fn("lower", ["name"]), "=", name));
      return (await db.all(meant)).map((row) => ({ client: null, ...row, kind }));
    }
    case "agent": {
      const all = db.q
        .selectFrom("agent")
        .leftJoin("session", "session.agentId", "agent.id")
        .select(["agent.id", "agent.name as title", "agent.developerId", "runtime", "agentType"])
        .orderBy("agent.id", "desc")
        .limit(limit);
      const meant = isId
        ? all.where("agent.id", ">=", AgentId.parse(term)).where("agent.id", "<=", AgentId.parse(endOf(term)))
        : all.where((of) => of(of.fn("lower", ["agent.name"]), "=", name));
      return (await db.all(meant)).map(({ runtime, agentType, ...row }) => ({
        ...row,
        kind,
        client: agentType ?? runtime,
      }));
    }
    case "note": {
      const all = db.q.selectFrom("note").select(["id", "summary as title", "developerId"]).orderBy("id", "desc");
      if (!isId) return [];
      const meant = all.where("id", ">=", NoteId.parse(term)).where("id", "<=", NoteId.parse(endOf(term)));
      return (await db.all(meant.limit(limit))).map((row) => ({ client: null, ...row, kind }));
    }
  }
}
