import { useSyncExternalStore } from "react";

export interface ViewProps {
  /** What the path names, `{ id }` for `/tasks/:id`. */
  readonly params: Readonly<Record<string, string>>;
}

/** Where the reader is. Everything that can be shared as a link is in here. */
interface Place {
  readonly path: string;
  readonly query: URLSearchParams;
}

const base = "/deck";
const listeners = new Set<() => void>();
let place = readPlace();

/** The address of a place inside the deck, for links. */
export const hrefOf = (path: string): string => `${base}${path}`;

export function go(to: string, { replace = false }: { replace?: boolean } = {}): void {
  const href = hrefOf(to);
  if (href === location.pathname + location.search) return;
  if (replace) history.replaceState(null, "", href);
  else history.pushState(null, "", href);
  notice();
}

/** Changes what the address says beside the path; an empty value takes its name out. */
export function changeQuery(changes: Readonly<Record<string, string | undefined>>): void {
  const query = new URLSearchParams(place.query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === "") query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  go(text === "" ? place.path : `${place.path}?${text}`, { replace: true });
}

export const usePlace = (): Place => useSyncExternalStore(subscribe, () => place);

/** The parts of a path that a pattern such as `/tasks/:id` names, or undefined if it does not fit. */
export function matchPath(pattern: string, path: string): Readonly<Record<string, string>> | undefined {
  const wanted = pattern.split("/");
  const given = path.split("/");
  if (wanted.length !== given.length) return undefined;
  const found: Record<string, string> = {};
  for (const [place, part] of wanted.entries()) {
    const text = given[place] ?? "";
    if (part.startsWith(":") && text !== "") found[part.slice(1)] = decode(text);
    else if (part !== text) return undefined;
  }
  return found;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function readPlace(): Place {
  if (typeof location === "undefined") return { path: "/", query: new URLSearchParams() };
  const path = location.pathname.startsWith(`${base}/`) ? location.pathname.slice(base.length) : "/";
  return { path: path.length > 1 ? path.replace(/\/$/, "") : path, query: new URLSearchParams(location.search) };
}

function notice(): void {
  place = readPlace();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) window.addEventListener("popstate", notice);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) window.removeEventListener("popstate", notice);
  };
}
