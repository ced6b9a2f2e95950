import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useId, useRef } from "react";
import "./menu.css";

export interface MenuItem {
  readonly label: string;
  /** One key that chooses it while the menu is open. */
  readonly letter?: string;
  /** Why it cannot be chosen now. */
  readonly disabledBecause?: string | undefined;
  readonly isDangerous?: boolean;
  choose(): void;
}

interface MenuProps {
  readonly label: string;
  readonly children: ReactNode;
  readonly items: readonly MenuItem[];
  readonly className?: string;
}

/** A button with a list of actions, on the browser's own popover: it closes by itself and lies above everything. */
export function Menu({ label, children, items, className }: MenuProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);

  const enter = useCallback((): void => {
    const open = list.current;
    if (!open?.matches(":popover-open") || !button.current || open.contains(document.activeElement)) return;
    placeBeside(open, button.current.getBoundingClientRect());
    open.querySelector<HTMLElement>("button:not(:disabled)")?.focus();
  }, []);

  useEffect(() => {
    const open = list.current;
    open?.addEventListener("toggle", enter);
    return () => open?.removeEventListener("toggle", enter);
  }, [enter]);

  function close(): void {
    list.current?.hidePopover();
    button.current?.focus();
  }

  function onKeyDown(event: KeyboardEvent): void {
    event.stopPropagation();
    const buttons = [...(list.current?.querySelectorAll<HTMLButtonElement>("button:not(:disabled)") ?? [])];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      buttons[(at + step + buttons.length) % buttons.length]?.focus();
      return;
    }
    const chosen = items.find((item) => item.letter === event.key && !item.disabledBecause);
    if (!chosen) return;
    event.preventDefault();
    close();
    chosen.choose();
  }

  return (
    <>
      <button
        ref={button}
        type="button"
        className={className}
        popoverTarget={id}
        // The next key may come before the browser tells that the menu is open.
        onClick={() => queueMicrotask(enter)}
        onKeyDown={(event) => list.current?.matches(":popover-open") && onKeyDown(event)}
        aria-haspopup="menu"
        aria-label={label}
      >
        {children}
      </button>
      <div ref={list} id={id} popover="auto" role="menu" className="menu" aria-label={label} onKeyDown={onKeyDown}>
        {items.map((item) => (
          <button
            key={item.label}
            type="button"
            role="menuitem"
            className={item.isDangerous ? "plain danger" : "plain"}
            disabled={item.disabledBecause !== undefined}
            title={item.disabledBecause}
            onClick={() => {
              close();
              item.choose();
            }}
          >
            <span>{item.label}</span>
            {item.letter && <kbd>{item.letter}</kbd>}
          </button>
        ))}
      </div>
    </>
  );
}

/** Below the button, and inside the window however narrow it is. */
function placeBeside(list: HTMLElement, at: DOMRect): void {
  const { width, height } = list.getBoundingClientRect();
  const left = Math.max(8, Math.min(at.right - width, innerWidth - width - 8));
  const below = at.bottom + 4;
  const top = below + height > innerHeight - 8 ? Math.max(8, at.top - height - 4) : below;
  list.style.left = `${left}px`;
  list.style.top = `${top}px`;
}
