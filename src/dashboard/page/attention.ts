/** How many things wait for a person; shown in the tab's title by every view. */
let count = 0;
const listeners = new Set<() => void>();

export const readAttention = (): number => count;

export function setAttention(next: number): void {
  if (next === count) return;
  count = next;
  for (const listener of listeners) listener();
}

export function subscribeAttention(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
