import type { CompiledQuery, Kysely } from "kysely";
import type { Query } from "./db.ts";
import type { Tables } from "./schema.ts";

/** Stands for an argument while the query is built, or for a part of one: an item of a list, a column of a row. */
class Place {
  readonly #index: number;
  readonly #part: number | string | undefined;

  constructor(index: number, part?: number | string) {
    this.#index = index;
    this.#part = part;
  }

  fill(args: readonly unknown[]): unknown {
    const arg = args[this.#index];
    if (this.#part === undefined) return arg;
    if (Array.isArray(arg)) return arg[Math.min(Number(this.#part), arg.length - 1)];
    return (arg as Record<string, unknown>)[this.#part];
  }
}

/** Longer lists are rare, and each length would be one more statement. */
const longestList = 64;

/**
 * A query that is asked all the time: built at its first use, then only filled in, because building it takes longer
 * than the database takes to answer it. `build` puts its arguments into the query and never looks at them.
 *
 *     const byId = prepare((q, id: AgentId) => q.selectFrom("agent").selectAll().where("id", "=", id));
 *     const row = await db.first(byId(db.q, agentId));
 *
 * A row or a set of changes is built once for each set of columns. A list is built for a few lengths and filled up with
 * its last item, which is good for `in` and nothing else.
 */
export function prepare<Args extends readonly unknown[], Row>(
  build: (q: Kysely<Tables>, ...args: Args) => Query<Row>,
): (q: Kysely<Tables>, ...args: Args) => Query<Row> {
  const known = new Map<Kysely<Tables>, Map<string, CompiledQuery<Row>>>();
  return (q, ...args) => {
    if (args.some(isLong)) return build(q, ...args);
    const shape = args.map(shapeOf).join(";");
    const ofShapes = known.get(q) ?? new Map<string, CompiledQuery<Row>>();
    known.set(q, ofShapes);
    const built = ofShapes.get(shape) ?? build(q, ...placesFor(args)).compile();
    ofShapes.set(shape, built);
    const parameters = built.parameters.map((value) => (value instanceof Place ? value.fill(args) : value));
    return { compile: () => ({ ...built, parameters }) };
  };
}

const isLong = (arg: unknown): boolean => Array.isArray(arg) && arg.length > longestList;

function shapeOf(arg: unknown): string {
  if (typeof arg !== "object" || arg === null || arg instanceof Uint8Array) return "";
  return Array.isArray(arg) ? String(roomFor(arg)) : columnsOf(arg).join();
}

/** The next power of two. */
const roomFor = ({ length }: readonly unknown[]): number => (length < 2 ? length : 2 ** (32 - Math.clz32(length - 1)));

/** What is not given is no column. */
const columnsOf = (row: object): string[] =>
  Object.keys(row).filter((column) => (row as Record<string, unknown>)[column] !== undefined);

const placesFor = <Args extends readonly unknown[]>(args: Args): Args =>
  args.map(placeFor) as readonly unknown[] as Args;

function placeFor(arg: unknown, index: number): unknown {
  if (typeof arg !== "object" || arg === null || arg instanceof Uint8Array) return new Place(index);
  if (Array.isArray(arg)) return Array.from({ length: roomFor(arg) }, (_, item) => new Place(index, item));
  return Object.fromEntries(columnsOf(arg).map((column) => [column, new Place(index, column)]));
}
