import { useSyncExternalStore } from "react";
import { attempt, dismiss, say } from "./toast.tsx";

/** An act that is carried out a little later, so that it can be taken back until then. */
interface Pending {
  readonly key: string;
  readonly toast: number;
  readonly timer: ReturnType<typeof setTimeout>;
  commit(): Promise<unknown>;
}

/** Long enough to notice a slip. */
const undoMs = 6_000;

let pending: readonly Pending[] = [];
let keys: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();

/** Says what is about to happen, with a way back. Leaving the page carries it out at once. */
export function actUndoably(act: { readonly key: string; readonly text: string; commit(): Promise<unknown> }): void {
  const { key, text, commit } = act;
  const toast = say(text, { staysMs: undoMs, action: { label: "Undo", act: () => drop(key) } });
  const timer = setTimeout(() => void carryOut(key), undoMs);
  set([...pending, { key, toast, timer, commit }]);
}

/** What is on its way: not shown as open any more, and not done yet either. */
export const usePending = (): ReadonlySet<string> => useSyncExternalStore(subscribe, () => keys);

/** Nobody can take back any more what they can no longer see. */
export function flushPending(): void {
  for (const { key } of pending) void carryOut(key);
}

function drop(key: string): void {
  const one = pending.find((known) => known.key === key);
  if (!one) return;
  clearTimeout(one.timer);
  dismiss(one.toast);
  set(pending.filter((known) => known !== one));
}

async function carryOut(key: string): Promise<void> {
  const one = pending.find((known) => known.key === key);
  if (!one) return;
  clearTimeout(one.timer);
  dismiss(one.toast);
  // It stays out of sight until the server has taken it, and comes back where the server refuses.
  const settled = attempt(() => one.commit());
  pending = pending.filter((known) => known !== one);
  await settled;
  set(pending);
}

function set(next: readonly Pending[]): void {
  pending = next;
  keys = new Set(next.map(({ key }) => key));
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

if (typeof window !== "undefined") window.addEventListener("pagehide", flushPending);
