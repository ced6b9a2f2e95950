import { type ReactNode, useState } from "react";
import type { ApiFailure } from "../data/api.ts";
import { asFailure } from "../data/store.ts";
import { Dialog } from "./dialog.tsx";
import { Form } from "./form.tsx";
import { Inline } from "./markdown.tsx";

interface ActionDialogProps {
  readonly title: string;
  /** What the button says. */
  readonly verb: string;
  readonly canSend: boolean;
  send(): Promise<unknown>;
  /** Whether a failure is said by the form itself. */
  isQuiet?(error: unknown): boolean;
  onClose(): void;
  readonly children: ReactNode;
}

/** A form that does one thing. What the server refuses is said in it, with the next step, and nothing typed is lost. */
export function ActionDialog({ title, verb, canSend, send, isQuiet, onClose, children }: ActionDialogProps) {
  const [failure, setFailure] = useState<ApiFailure>();

  async function submit(): Promise<void> {
    setFailure(undefined);
    try {
      await send();
      onClose();
    } catch (error) {
      if (!isQuiet?.(error)) setFailure(asFailure(error));
    }
  }

  return (
    <Dialog title={title} onClose={onClose}>
      <Form send={submit}>
        {children}
        {failure && (
          <div role="alert" className="form-problem">
            <p className="strong">{failure.message}</p>
            {failure.hint && (
              <p>
                <Inline text={failure.hint} />
              </p>
            )}
          </div>
        )}
        <div className="dialog-actions">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="primary" disabled={!canSend}>
            {verb}
          </button>
        </div>
      </Form>
    </Dialog>
  );
}
