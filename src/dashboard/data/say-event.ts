import { type LiveEvent, textIn } from "./event.ts";
import { type Said, sayName, sentences } from "./event-words.ts";
import { nameOf, privateName } from "./names.ts";

/** An event in words. Of private people it is said that something happened; what a newer server tells, in its own words. */
export function sayEvent(event: LiveEvent): Said {
  const { kind, subject, data } = event;
  if (textIn(data, "developer") === privateName) {
    return { about: { words: privateName }, what: humanise(kind), more: "" };
  }
  return (
    sentences[kind]?.(data, subject) ?? { about: { id: subject }, what: humanise(kind.split(".")[1] ?? kind), more: "" }
  );
}

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

const humanise = (kind: string): string =>
  kind
    .replaceAll(/[._]/g, " ")
    .replace(/([A-Z])/g, " $1")
    .toLowerCase();
