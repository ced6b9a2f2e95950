import { useSyncExternalStore } from "react";
import { attempt, dismiss, say } from "./toast.tsx";

/** An act that is carried out a little later, so that it can be taken back until then. */
interface Pending {
  readonly key: string;
  readonly toast: number;
  readonly timer: ReturnType<typeof setTimeout>;
  /** It has gone to the server and can no longer be taken back. */
  readonly isSent: boolean;
  commit(): Promise<unknown>;
}

/** Long enough to notice a slip. */
const undoMs = 6_000;

let pending: readonly Pending[] = [];
let keys: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();

interface Act {
  readonly key: string;
  readonly text: string;
  /** Settled when the page shows what the server has taken: until then the act stays out of sight. */
  commit(): Promise<unknown>;
}

/** Says what is about to happen, with a way back. Leaving the page carries it out at once. */
export function actUndoably({ key, text, commit }: Act): void {
  const toast = say(text, { staysMs: undoMs, action: { label: "Undo", act: () => drop(key) } });
  const timer = setTimeout(() => void carryOut(key), undoMs);
  set([...pending, { key, toast, timer, isSent: false, commit }]);
}

/** What is on its way: not shown as open any more, and not done yet either. */
export const usePending = (): ReadonlySet<string> => useSyncExternalStore(subscribe, () => keys);

/** Nobody can take back any more what they can no longer see. */
export function flushPending(): void {
  for (const { key } of pending) void carryOut(key);
}

function drop(key: string): void {
  const one = take(key);
  if (one) set(pending.filter((known) => known !== one));
}

async function carryOut(key: string): Promise<void> {
  const one = take(key);
  if (!one) return;
  const sent = { ...one, isSent: true };
  set(pending.map((known) => (known === one ? sent : known)));
  // Where the server refuses, it comes back.
  await attempt(() => one.commit());
  set(pending.filter((known) => known !== sent));
}

function take(key: string): Pending | undefined {
  const one = pending.find((known) => known.key === key && !known.isSent);
  if (!one) return undefined;
  clearTimeout(one.timer);
  dismiss(one.toast);
  return one;
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
