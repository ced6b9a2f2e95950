import { test } from "vitest";
import { type Plant, plantAll } from "./judge-plants.ts";

const asked = "who is private is asked of the viewer (src/domain/person/viewer-model.ts)";
const byId = "a tool says whose something is through the viewer, and never by id";

const plants: readonly Plant[] = [
  {
    rule: "RE60",
    when: "a tool that asks a record who is private",
    path: "src/tools/team/planted-flag.ts",
    text: "export const isSecret = (developer: Person) => developer.isPrivate;",
    fence: `isPrivate  ${asked}`,
  },
  {
    rule: "RE60",
    when: "a gate that takes the flag out of a record",
    path: "src/transports/http/planted-taken-flag.ts",
    text: "export const isSecret = ({ isPrivate }: Person) => isPrivate;",
    fence: `isPrivate  ${asked}`,
  },
  {
    rule: "RE60",
    when: "a noun other than person that asks",
    path: "src/domain/claim/planted-rules.ts",
    text: 'export const isSecret = (developer: Person) => developer["isPrivate"];',
    fence: `isPrivate  ${asked}`,
  },
  {
    rule: "RE60",
    when: "the engine writing the name of everyone private by itself",
    path: "src/engine/planted-mark.ts",
    text: 'export const nobody = "@private";',
    fence: `@private  ${asked}`,
  },
  {
    rule: "RE60",
    when: "a tool that takes that name from the model",
    path: "src/tools/mission/planted-name.ts",
    text: 'import { privateName } from "../../domain/person/model.ts";',
    fence: `privateName  ${asked}`,
  },
  {
    rule: "RE60",
    when: "asking the caller about themselves",
    path: "src/domain/claim/planted-caller-rules.ts",
    text: "export const isSecret = (work: Asked) => work.caller.isPrivate;",
  },
  {
    rule: "RE61",
    when: "a tool that prints whose a task is",
    path: "src/tools/workflow/planted-printed.ts",
    text: "export const record = (task: Task) => ({ id: task.id, developer: task.developerId });",
    fence: `developerId  ${byId}`,
  },
  {
    rule: "RE61",
    when: "a tool that prints who wrote a letter",
    path: "src/tools/team/planted-letter.ts",
    text: "export const record = (letter: Letter) => ({ from: letter.fromDeveloperId });",
    fence: `fromDeveloperId  ${byId}`,
  },
  {
    rule: "RE61",
    when: "a tool that takes the id out of a record first",
    path: "src/tools/team/planted-taken.ts",
    text: "export const record = ({ id, developerId }: Task) => ({ id, developer: developerId });",
    fence: `developerId  ${byId}`,
  },
  {
    rule: "RE61",
    when: "a tool that compares ids",
    path: "src/tools/team/planted-compared.ts",
    text: "export const isMine = (task: Task, work: Work) => task.developerId === work.caller.developerId;",
    fence: `developerId  ${byId}`,
  },
  {
    rule: "RE61",
    when: "a tool that reads developers",
    path: "src/tools/team/planted-developers.ts",
    text: 'import { listDevelopers } from "../../domain/person/queries.ts";',
    fence: "src/domain/person/queries.ts  only the tools of accounts read developers; others ask the viewer",
  },
  {
    rule: "RE61",
    when: "the viewer's name for it, and the caller's own id to ask with",
    path: "src/tools/team/planted-named.ts",
    text: "export const ask = (viewer: Viewer, one: Letter, work: Work) => ({ from: viewer.nameOf(one.fromDeveloperId), developerId: work.caller.developerId });",
  },
];

const judge = plantAll(plants);

test.each(plants)("[$rule] $when", judge);
