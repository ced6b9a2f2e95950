import type { CompiledQuery, Kysely } from "kysely";
import type { Query } from "./db.ts";
import type { Tables } from "./schema.ts";

/** Stands for an argument while the query is built. */
class Place {
  readonly index: number;

  constructor(index: number) {
    this.index = index;
  }
}

/**
 * A query that is asked all the time: built at its first use, then only filled in, because building it takes longer
 * than the database takes to answer it. `build` puts its arguments into the query and never looks at them.
 *
 *     const byId = prepare((q, id: AgentId) => q.selectFrom("agent").selectAll().where("id", "=", id));
 *     const row = await db.first(byId(db.q, agentId));
 */
export function prepare<Args extends readonly unknown[], Row>(
  build: (q: Kysely<Tables>, ...args: Args) => Query<Row>,
): (q: Kysely<Tables>, ...args: Args) => Query<Row> {
  const known = new Map<Kysely<Tables>, CompiledQuery<Row>>();
  return (q, ...args) => {
    const built = known.get(q) ?? build(q, ...placesFor(args)).compile();
    known.set(q, built);
    const parameters = built.parameters.map((value) => (value instanceof Place ? args[value.index] : value));
    return { compile: () => ({ ...built, parameters }) };
  };
}

const placesFor = <Args extends readonly unknown[]>(args: Args): Args =>
  args.map((_, index) => new Place(index)) as readonly unknown[] as Args;
