import type { InstanceId } from "../../contract/ids.ts";
import type { Used } from "../../domain/instance/port.ts";
import { countLog } from "./log-usage.ts";
import { followWith, type Piece } from "./piece.ts";
import { listRecords } from "./record-files.ts";

/** One request to a model, by a key that is the same wherever the line was copied to. */
interface Counted {
  readonly key: string;
  readonly tokens: number;
  /** Null where the model has no price. */
  readonly dollars: number | null;
}

/** Reads lines of a program's own record of a conversation; what it has to remember is in the context. */
export type CountLines = (
  client: string,
  text: string,
  context: unknown,
) => { readonly counted: readonly Counted[]; readonly context: unknown };

export interface UsageAsk {
  readonly id: InstanceId;
  readonly program: string;
  readonly mode: "tmux" | "headless";
  /** The folder it works in. */
  readonly path: string;
  readonly conversation: string;
  readonly logFile: string;
  /** The variables that say where it keeps its records. */
  readonly env: NodeJS.ProcessEnv;
}

interface Known {
  readonly requests: Map<string, Counted>;
  readonly contexts: Map<string, unknown>;
  readonly read: (file: string) => Piece | undefined;
  log: Used | undefined;
}

/**
 * What programs use: by their own records, and by what those without a terminal put out. Only what is new is read, and no
 * more of it at a time than takes a moment.
 */
export class UsageReader {
  readonly #countLines: CountLines;
  readonly #known = new Map<string, Known>();

  constructor(countLines: CountLines) {
    this.#countLines = countLines;
  }

  read(ask: UsageAsk): Used | undefined {
    const known = this.#known.get(ask.id) ?? this.#begin(ask.id);
    const client = clients[ask.program];
    const files = client === undefined ? [] : listRecords(client, ask);
    for (const file of files) {
      const piece = known.read(file);
      if (piece === undefined) continue;
      const before = piece.isNew ? {} : known.contexts.get(file);
      const { counted, context } = this.#countLines(client ?? "", piece.text, before);
      known.contexts.set(file, context);
      for (const one of counted) {
        // Programs repeat a request while it grows.
        if (one.tokens >= (known.requests.get(one.key)?.tokens ?? 0)) known.requests.set(one.key, one);
      }
    }
    const said = known.read(ask.logFile);
    if (said) known.log = countLog(ask.program, said.text, known.log);
    return largerOf(sumOf([...known.requests.values()]), known.log);
  }

  /** Forgets whoever is not asked about any more. */
  keep(ids: ReadonlySet<string>): void {
    for (const id of this.#known.keys()) if (!ids.has(id)) this.#known.delete(id);
  }

  #begin(id: string): Known {
    const known = { requests: new Map(), contexts: new Map(), read: followWith(), log: undefined };
    this.#known.set(id, known);
    return known;
  }
}

/** Whose records can be read, by the names that their readers have for them. */
const clients: Readonly<Record<string, string>> = { claude: "claude-code", codex: "codex", gemini: "gemini" };

/** Whether anything says what a program uses. opencode does in its log, which a terminal has none of. */
export const isCounted = (program: string, mode: "tmux" | "headless"): boolean =>
  Object.hasOwn(clients, program) || (program === "opencode" && mode === "headless");

function sumOf(counted: readonly Counted[]): Used | undefined {
  if (counted.length === 0) return undefined;
  let tokens = 0;
  let dollars: number | null = 0;
  for (const one of counted) {
    tokens += one.tokens;
    dollars = one.dollars === null || dollars === null ? null : dollars + one.dollars;
  }
  return { tokens, dollars };
}

/** Of two counts of the same the one that saw more; what it cost by the other where it does not know. */
function largerOf(record: Used | undefined, log: Used | undefined): Used | undefined {
  if (record === undefined || log === undefined) return record ?? log;
  const [more, less] = log.tokens >= record.tokens ? [log, record] : [record, log];
  return { tokens: more.tokens, dollars: more.dollars ?? less.dollars };
}
