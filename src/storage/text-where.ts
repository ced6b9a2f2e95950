import { type Expression, expressionBuilder, type SqlBool } from "kysely";
import type { TextNeed } from "../contract/text-need.ts";
import type { Tables } from "./schema.ts";

/** Whether one of these columns, in small letters, has what is needed. */
export function hasNeeded(need: TextNeed, columns: readonly Expression<string | null>[]): Expression<SqlBool> {
  const build = expressionBuilder<Tables, never>();
  if ("has" in need) {
    // What could steer a pattern stands for any letter: too much is found, never too little.
    const pattern = `%${need.has.replaceAll(/[%_\\]/g, "_")}%`;
    return build.or(columns.map((column) => build(build.fn<string | null>("lower", [column]), "like", pattern)));
  }
  if ("all" in need) return build.and(need.all.map((part) => hasNeeded(part, columns)));
  return build.or(need.any.map((part) => hasNeeded(part, columns)));
}
