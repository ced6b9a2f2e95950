import { type ReactNode, useEffect, useId, useRef } from "react";
import "./dialog.css";

interface DialogProps {
  readonly title: string;
  onClose(): void;
  readonly children: ReactNode;
  /** A wider one for forms and lists. */
  readonly size?: "small" | "large";
}

/** A modal on the browser's own dialog: focus stays inside, Escape closes, focus returns to where it was. */
export function Dialog({ title, onClose, children, size = "small" }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const before = document.activeElement;
    ref.current?.showModal();
    // The browser would choose the first button, which closes the dialog.
    ref.current?.querySelector<HTMLElement>("input, textarea, select")?.focus();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the click outside is a second way; Escape is the keyboard's.
    <dialog
      ref={ref}
      className="dialog"
      data-size={size}
      aria-labelledby={titleId}
      onClose={onClose}
      onCancel={onClose}
      onClick={(event) => event.target === ref.current && onClose()}
    >
      <div className="dialog-body">
        <header>
          <h2 id={titleId}>{title}</h2>
          <button type="button" className="plain" onClick={onClose}>
            Close
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
