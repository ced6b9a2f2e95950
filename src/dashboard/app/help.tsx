import { Dialog } from "../parts/dialog.tsx";
import { useShortcuts } from "./keys.ts";
import "./help.css";

/** Every key that works right now. */
export function Help({ onClose }: { onClose(): void }) {
  const shortcuts = useShortcuts();
  return (
    <Dialog title="Keys" size="large" onClose={onClose}>
      <dl className="keys">
        <div>
          <dt>
            <kbd>Ctrl</kbd> <kbd>K</kbd>
          </dt>
          <dd>Find anything</dd>
        </div>
        {shortcuts.map(({ keys, label }) => (
          <div key={keys}>
            <dt>
              {keys.split(" ").map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
