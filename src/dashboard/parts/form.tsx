import { type ReactNode, type SyntheticEvent, useRef, useState } from "react";

interface FormProps {
  /** Settled once the server has answered, whatever it said. */
  send(): unknown;
  readonly className?: string;
  readonly id?: string;
  readonly children: ReactNode;
}

/** A form that is being sent is not sent again: whoever presses twice means it once. */
export function Form({ send, className = "form", id, children }: FormProps) {
  const isOut = useRef(false);
  const [isBusy, setBusy] = useState(false);

  async function submit(event: SyntheticEvent): Promise<void> {
    event.preventDefault();
    if (isOut.current) return;
    isOut.current = true;
    setBusy(true);
    try {
      await send();
    } finally {
      isOut.current = false;
      setBusy(false);
    }
  }

  return (
    <form id={id} className={className} aria-busy={isBusy} onSubmit={(event) => void submit(event)}>
      {children}
    </form>
  );
}
