import { useEffect, useRef, useSyncExternalStore } from "react";

export interface Shortcut {
  /** One key, `?`, or two in a row, `g b`. */
  readonly keys: string;
  readonly label: string;
  /** Where it works, if that is not the view alone. */
  readonly reach?: "everywhere" | "going";
  act(): void;
}

/** The time in which the second key of two must follow. */
const sequenceMs = 1_200;

let layers: readonly (() => readonly Shortcut[])[] = [];
const listeners = new Set<() => void>();
let firstKey: { key: string; at: number } | undefined;

/** Keys that work while the component is on screen. The newest layer wins; text fields and dialogs keep their keys. */
export function useKeys(shortcuts: readonly Shortcut[]): void {
  const latest = useRef(shortcuts);
  latest.current = shortcuts;
  useEffect(() => {
    const layer = (): readonly Shortcut[] => latest.current;
    set([...layers, layer]);
    return () => set(layers.filter((other) => other !== layer));
  }, []);
}

/** Everything that works right now, for the help: what belongs to the view first. */
export const useShortcuts = (): readonly Shortcut[] =>
  [...useSyncExternalStore(subscribe, () => layers)].reverse().flatMap((layer) => layer());

export function listenToKeys(): void {
  window.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTaken(event.target)) return;
    if (event.key === "Enter" && isPressed(event.target)) return;
    const chosen = findShortcut(event.key, event.timeStamp);
    if (!chosen) return;
    event.preventDefault();
    chosen.act();
  });
}

/** It counts when a key was pressed, not when a busy page came to it. */
function findShortcut(key: string, at: number): Shortcut | undefined {
  const isSecond = firstKey !== undefined && at - firstKey.at < sequenceMs;
  const wanted = isSecond ? `${firstKey?.key} ${key}` : key;
  const all = [...layers].reverse().flatMap((layer) => layer());
  const found = all.find((shortcut) => shortcut.keys === wanted) ?? all.find((shortcut) => shortcut.keys === key);
  const begins = !found && all.some((shortcut) => shortcut.keys.startsWith(`${key} `));
  firstKey = begins ? { key, at } : undefined;
  return found;
}

/** Whoever types into a field, or is in a dialog or a menu, does not mean the page. */
function isTaken(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.closest("input, textarea, select, dialog, [popover]") !== null;
}

/** Enter on a button or a link means that very button. */
const isPressed = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest("button, a, summary") !== null;

function set(next: typeof layers): void {
  layers = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
