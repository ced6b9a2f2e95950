import { Refusal } from "../../contract/refusal.ts";
import type { AnswerOf, InputOf } from "../../tools/calls.ts";
import type { Api } from "./api.ts";
import { cleanText } from "./text.ts";

type Kind = NonNullable<InputOf<"record_find">["kinds"]>[number];
type Candidate = AnswerOf<"record_find">["found"][number]["candidates"][number];

/** Shorter beginnings mean too much: every id of a kind begins alike. */
const shortestStart = 4;

/**
 * The id that somebody means by an id, the beginning of one, a name, or the number of a task. A full id is taken as it is: whether it exists
 * is the server's to say.
 */
export async function resolveId(api: Api, kind: Kind, given: string): Promise<string> {
  return resolve(api, kind, given, (term) => {
    throw new Refusal(
      "NOT_FOUND",
      `No ${kind} has the id or the name "${cleanText(term)}".`,
      kind === "task"
        ? "Give its number, its id or the beginning of it, or its full title in quotes."
        : "Give an id, the beginning of one, or the full name in quotes.",
    );
  });
}

/** The same where what nothing is called may mean something else: it is taken as it is. */
export const resolveKnown = (api: Api, kind: Kind, given: string): Promise<string> =>
  resolve(api, kind, given, () => given);

async function resolve(api: Api, kind: Kind, given: string, otherwise: (term: string) => string): Promise<string> {
  const term = given.trim();
  if (/^[a-z]+_[0-9a-z]{26}$/.test(term)) return term;
  if (term === "" || (term.length < shortestStart && /^[a-z]+_?/.exec(term)?.[0].endsWith("_"))) return term;
  const { found } = await api.call("record_find", { terms: [term], kinds: [kind] });
  const candidates = found[0]?.candidates ?? [];
  return candidates.length === 0 ? otherwise(term) : choose(term, kind, candidates);
}

function choose(term: string, kind: string, candidates: readonly Candidate[]): string {
  const [first, ...others] = candidates;
  if (first !== undefined && others.length === 0) return first.id;
  throw new AmbiguousId(
    `"${cleanText(term)}" could be ${candidates.length} ${kind}s.`,
    candidates.map(({ id, title }) => `${id}  ${cleanText(title)}`),
  );
}

/** Several records fit; the message lists them. */
class AmbiguousId extends Refusal {
  constructor(message: string, lines: readonly string[]) {
    super("INVALID_REQUEST", message, "Give more of the id.", { candidates: lines });
  }
}

/** The one of a short list whose id begins like that, or the text itself for the server to refuse. */
export function resolveIn(ids: readonly string[], given: string): string {
  const fitting = ids.filter((id) => id === given || (given.length >= shortestStart && id.startsWith(given)));
  if (fitting.length > 1 && !fitting.includes(given)) {
    throw new AmbiguousId(`"${cleanText(given)}" could be ${fitting.length} records.`, fitting);
  }
  return fitting.includes(given) ? given : (fitting[0] ?? given);
}
