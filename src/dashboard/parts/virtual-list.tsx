import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { windowOf } from "./virtual-window.ts";
import "./virtual-list.css";

interface VirtualListProps<T> {
  readonly label: string;
  readonly items: readonly T[];
  /** Every row has exactly this height; css keeps it to that. */
  readonly rowHeight: number;
  keyOf(item: T): string;
  children(item: T, place: number): ReactNode;
  /** The end of what is loaded has come into view. */
  onNearEnd?(): void;
  readonly className?: string;
  /** Scrolls this row into view whenever it changes. */
  readonly current?: number;
}

/** A list of any length of which only what is in view exists. It scrolls by itself and fills the height it is given. */
export function VirtualList<T>(props: VirtualListProps<T>) {
  const { label, items, rowHeight, keyOf, children, onNearEnd, className = "", current } = props;
  const box = useRef<HTMLElement>(null);
  const view = useView(box);
  const { from, to } = windowOf({ ...view, rowHeight, count: items.length });
  useSteadyPlace(box, items.map(keyOf), rowHeight);

  useEffect(() => {
    if (to >= items.length - 5) onNearEnd?.();
  }, [to, items.length, onNearEnd]);

  useLayoutEffect(() => {
    const element = box.current;
    if (current === undefined || !element) return;
    const top = current * rowHeight;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + rowHeight > element.scrollTop + element.clientHeight) {
      element.scrollTop = top + rowHeight - element.clientHeight;
    }
  }, [current, rowHeight]);

  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable, or a keyboard cannot scroll it.
    <section ref={box} className={`virtual ${className}`} aria-label={label} tabIndex={0}>
      <div className="virtual-space" style={{ height: items.length * rowHeight }}>
        <ul className="virtual-rows" style={{ transform: `translateY(${from * rowHeight}px)` }}>
          {items.slice(from, to).map((item, index) => (
            <li
              key={keyOf(item)}
              aria-setsize={items.length}
              aria-posinset={from + index + 1}
              className="virtual-row"
              style={{ height: rowHeight }}
            >
              {children(item, from + index)}
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

/** Who has scrolled down goes on reading the same row when rows come in above it. */
function useSteadyPlace(box: RefObject<HTMLElement | null>, keys: readonly string[], rowHeight: number): void {
  const last = useRef(keys);
  useLayoutEffect(() => {
    const element = box.current;
    const before = last.current;
    last.current = keys;
    if (!element || element.scrollTop < rowHeight || before[0] === keys[0]) return;
    const moved = keys.indexOf(before[0] ?? "");
    if (moved > 0) element.scrollTop += moved * rowHeight;
  }, [box, keys, rowHeight]);
}

function useView(box: RefObject<HTMLElement | null>): { top: number; height: number } {
  const [view, setView] = useState({ top: 0, height: 600 });
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const look = (): void => setView({ top: element.scrollTop, height: element.clientHeight });
    const watcher = new ResizeObserver(look);
    watcher.observe(element);
    element.addEventListener("scroll", look, { passive: true });
    return () => {
      watcher.disconnect();
      element.removeEventListener("scroll", look);
    };
  }, [box]);
  return view;
}
