import { type Said, sayHappened } from "../../contract/event-words.ts";
import { type LiveEvent, textIn } from "./event.ts";
import { sayName } from "./names.ts";

/** An event in words, with the names this page knows. */
export const sayEvent = (event: LiveEvent): Said => sayHappened(event, sayName);

/** Who or what a line begins with, in words. */
export function sayAbout({ about }: Said): string {
  return "id" in about ? sayName(about.id) : about.words;
}

/** Who did it: the agent where the event names one, else the developer whose call it was, else the server itself. */
export function actorOf(event: LiveEvent): { readonly id: string } | { readonly words: string } {
  const { kind, subject, data, actor } = event;
  const agent = [...actorKeys.map((key) => textIn(data, key)), isOfAgent(kind) ? subject : undefined].find(isAgentId);
  return agent === undefined ? { words: actor ?? "Crewdeck" } : { id: agent };
}

const actorKeys = ["agent_id", "session_id", "sender_id"];
const isOfAgent = (kind: string): boolean => kind.startsWith("agent.") || kind.startsWith("session.");
const isAgentId = (id: string | undefined): id is string => id?.startsWith("ag_") ?? false;

/** Where what an event is about is shown, if it is. */
export function placeOfEvent(event: LiveEvent): string | undefined {
  const { about } = sayEvent(event);
  return "id" in about ? placeOf(about.id) : event.kind === "message.sent" ? "/messages" : undefined;
}

/** Where a record is shown, by what its id begins with. */
export function placeOf(id: string): string | undefined {
  if (id.startsWith("tk_")) return `/tasks/${id}`;
  if (id.startsWith("wf_")) return `/workflows/${id}`;
  if (id.startsWith("ag_")) return `/agents?agent=${id}`;
  return undefined;
}
