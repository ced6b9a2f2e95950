import { isIdOf } from "../../contract/ids.ts";
import { nextStep } from "../../contract/next-step.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { Work } from "../work.ts";
import type { Developer } from "./model.ts";
import { findDeveloper, findDeveloperByHandle } from "./queries.ts";

const isId = isIdOf("developer");

/** Somebody of the team by handle or id. A private developer is to everyone else as if there were none (CR2). */
export async function getTeammate(work: Pick<Work, "db" | "caller">, name: string): Promise<Developer> {
  const handle = name.startsWith("@") ? name.slice(1) : name;
  const developer =
    (await findDeveloperByHandle(work.db, handle)) ?? (isId(name) ? await findDeveloper(work.db, name) : undefined);
  if (developer && (!developer.isPrivate || developer.id === work.caller.developerId)) return developer;
  throw new Refusal("NOT_FOUND", "No developer has that handle or id.", nextStep("seeTeam"));
}
