import type { DeveloperId, TemplateId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import type { TemplateRow } from "../../storage/schema.ts";
import type { Definition, Template } from "./model.ts";

export async function findTemplate(db: Db, id: TemplateId): Promise<Template | undefined> {
  const row = await db.first(db.q.selectFrom("template").selectAll().where("id", "=", id));
  return row && templateOf(row);
}

export async function findTemplateByName(db: Db, name: string): Promise<Template | undefined> {
  const row = await db.first(db.q.selectFrom("template").selectAll().where("name", "=", name));
  return row && templateOf(row);
}

export async function listTemplates(db: Db): Promise<Template[]> {
  return (await db.all(db.q.selectFrom("template").selectAll().orderBy("name"))).map(templateOf);
}

export async function insertTemplate(db: Db, template: Template & { developerId: DeveloperId }): Promise<void> {
  const { definition, ...plain } = template;
  await db.run(db.q.insertInto("template").values({ ...plain, definition: JSON.stringify(definition), version: 1 }));
}

const templateOf = (row: TemplateRow): Template => ({
  id: row.id,
  developerId: row.developerId,
  name: row.name,
  description: row.description,
  definition: JSON.parse(row.definition) as Definition,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
});
