import { useEffect, useRef } from "react";
import { useReading } from "../../data/use-reading.ts";
import { setAttention } from "../../page/attention.ts";
import { usePending } from "../../parts/undo.ts";
import { type Item, inboxReading, keyOf, kindOf } from "./inbox-model.ts";
import { isNotifying } from "./notify-switch.tsx";

/** Keeps the tab's title at how many things wait for the reader, whatever view is open, and tells of new ones. */
export function WatchInbox() {
  const { value } = useReading(inboxReading("mine"));
  const pending = usePending();
  const known = useRef<ReadonlySet<string> | undefined>(undefined);
  useEffect(() => {
    if (value === undefined) return;
    setAttention(value.filter((item) => !pending.has(keyOf(item))).length);
    const keys = new Set(value.map(keyOf));
    const fresh = known.current === undefined ? [] : value.filter((item) => !known.current?.has(keyOf(item)));
    known.current = keys;
    if (fresh.length > 0 && document.visibilityState === "hidden" && isNotifying()) notify(fresh);
  }, [value, pending]);
  return null;
}

function notify([first, ...others]: readonly Item[]): void {
  if (!first) return;
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  new Notification(`${first.from ?? first.developer} ${kindOf(first).words}${more}`, {
    body: first.title ?? "",
    tag: "crewdeck",
  });
}
