import { type Shortcut, useShortcuts } from "../page/keys.ts";
import { Dialog } from "../parts/dialog.tsx";
import "./help.css";

type Key = Pick<Shortcut, "keys" | "label">;

/** Every key that works right now. */
export function Help({ onClose }: { onClose(): void }) {
  const shortcuts = useShortcuts();
  const reaching = (reach: Shortcut["reach"]): readonly Key[] =>
    shortcuts.filter((shortcut) => shortcut.reach === reach);
  return (
    <Dialog title="Keyboard shortcuts" size="large" onClose={onClose}>
      <div className="keys">
        <Group title="In this view" keys={reaching(undefined)} />
        <Group title="Everywhere" keys={[{ keys: "Ctrl K", label: "Find anything" }, ...reaching("everywhere")]} />
        <Group title="Go to" keys={reaching("going")} />
      </div>
    </Dialog>
  );
}

function Group({ title, keys }: { title: string; keys: readonly Key[] }) {
  if (keys.length === 0) return null;
  return (
    <section>
      <h3>{title}</h3>
      <dl>
        {keys.map((shortcut) => (
          <div key={shortcut.keys}>
            <dt>
              {shortcut.keys.split(" ").map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{shortcut.label}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
