import type { Shortcut } from "../page/keys.ts";

interface ListPlace {
  readonly count: number;
  readonly current: number;
  setCurrent(place: number): void;
}

/** J and K through a list, as everywhere in the deck. */
export function listKeys({ count, current, setCurrent }: ListPlace): Shortcut[] {
  const move = (to: number): void => setCurrent(Math.max(0, Math.min(count - 1, to)));
  return [
    { keys: "j", label: "Next", act: () => move(current + 1) },
    { keys: "k", label: "Previous", act: () => move(current - 1) },
  ];
}
