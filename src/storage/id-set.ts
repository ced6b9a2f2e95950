import type { AliasedSelectQueryBuilder, Expression, SelectQueryNode } from "kysely";

/**
 * Which rows of a noun are meant, as a part of another noun's query: the database finds them as it answers, however
 * many there are, and neither noun has to know the other's table.
 */
export interface IdSet<Id extends string> extends Expression<{ id: Id }> {
  readonly isSelectQueryBuilder: true;
  toOperationNode(): SelectQueryNode;
  as<Name extends string>(name: Name): AliasedSelectQueryBuilder<{ id: Id }, Name>;
}
