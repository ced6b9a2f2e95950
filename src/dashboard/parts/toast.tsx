import { useSyncExternalStore } from "react";
import { asFailure } from "../data/store.ts";
import { Inline } from "./markdown.tsx";
import "./toast.css";

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly hint: string;
  readonly isBad: boolean;
  readonly action: { readonly label: string; act(): void } | undefined;
}

interface SayOptions {
  readonly hint?: string;
  readonly isBad?: boolean;
  readonly staysMs?: number;
  readonly action?: Toast["action"];
}

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

/** A short word on what became of an action. Bad news stays longer, and until it is closed on hover. */
export function say(text: string, options: SayOptions = {}): number {
  const { hint = "", isBad = false, action, staysMs = isBad ? 12_000 : 4_000 } = options;
  lastId += 1;
  const toast = { id: lastId, text, hint, isBad, action };
  set([...toasts.slice(-3), toast]);
  setTimeout(() => dismiss(toast.id), staysMs);
  return toast.id;
}

/** Runs an action and says what the server refused, with its advice. True if it went through. */
export async function attempt(act: () => Promise<unknown>, done?: string): Promise<boolean> {
  try {
    await act();
    if (done !== undefined) say(done);
    return true;
  } catch (error) {
    const { message, hint } = asFailure(error);
    say(message, { hint, isBad: true });
    return false;
  }
}

export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts);
  return (
    <div className="toasts" role="status" aria-live="polite">
      {shown.map((toast) => (
        <div key={toast.id} className="toast" data-bad={toast.isBad}>
          <div>
            <p className="strong">{toast.text}</p>
            {toast.hint && (
              <p className="small">
                <Inline text={toast.hint} />
              </p>
            )}
          </div>
          {toast.action && (
            <button type="button" onClick={toast.action.act}>
              {toast.action.label}
            </button>
          )}
          {!toast.action && (
            <button type="button" className="plain" onClick={() => dismiss(toast.id)}>
              Close
            </button>
          )}
        </div>
      ))}
    </div>
  );
}

export const dismiss = (id: number): void => set(toasts.filter((toast) => toast.id !== id));

function set(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
