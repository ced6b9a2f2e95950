import { type Said, sayHappened } from "../../contract/event-words.ts";
import type { LiveEvent } from "./event.ts";
import { nameOf, sayName } from "./names.ts";

/** An event in words, with the names the deck has learned. */
export const sayEvent = (event: LiveEvent): Said => sayHappened(event, sayName);

/** Who or what a line begins with, in words. */
export function sayAbout({ about }: Said): string {
  return "id" in about ? sayName(about.id) : about.words;
}

/** Where what an event is about is shown, if it is. */
export function placeOfEvent(event: LiveEvent): string | undefined {
  const { about } = sayEvent(event);
  return "id" in about ? placeOf(about.id) : event.kind === "message.sent" ? "/messages" : undefined;
}

/** Where a record is shown, by what its id begins with. */
export function placeOf(id: string): string | undefined {
  const name = nameOf(id);
  if (id.startsWith("tk_")) return `/tasks/${id}`;
  if (id.startsWith("wf_")) return `/workflows/${id}`;
  if (id.startsWith("ag_")) return `/agents?show=all${name ? `&q=${encodeURIComponent(name)}` : ""}`;
  return undefined;
}
