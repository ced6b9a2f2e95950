import { useState } from "react";
import { readPreference, savePreference } from "../page/preference.ts";
import { go, usePlace } from "../page/router.ts";
import { Dialog } from "./dialog.tsx";
import { Form } from "./form.tsx";
import { Menu } from "./menu.tsx";

interface SavedView {
  readonly name: string;
  /** The path with its query: a saved view is nothing but an address. */
  readonly to: string;
}

/** Filters that somebody comes back to, under a name, kept in this browser. */
export function SavedViews({ path }: { path: string }) {
  const { query } = usePlace();
  const [views, setViews] = useState(readViews);
  const [isNaming, setNaming] = useState(false);
  const here = query.toString() === "" ? path : `${path}?${query.toString()}`;
  const own = views.filter((view) => view.to === path || view.to.startsWith(`${path}?`));
  const keep = (next: readonly SavedView[]): void => {
    setViews(next);
    savePreference("views", JSON.stringify(next));
  };
  const forgettable = own.find((view) => view.to === here);
  return (
    <>
      <Menu
        label="Saved views"
        items={[
          { label: "All", choose: () => go(path) },
          ...own.map((view) => ({ label: view.name, choose: () => go(view.to) })),
          { label: "Save this view…", choose: () => setNaming(true) },
          ...(forgettable
            ? [
                {
                  label: `Delete “${forgettable.name}”`,
                  choose: () => keep(views.filter((view) => view !== forgettable)),
                },
              ]
            : []),
        ]}
      >
        Views
      </Menu>
      {isNaming && (
        <NameDialog
          onClose={() => setNaming(false)}
          onName={(name) => {
            keep([...views.filter((view) => view.name !== name), { name, to: here }]);
            setNaming(false);
          }}
        />
      )}
    </>
  );
}

function NameDialog({ onClose, onName }: { onClose(): void; onName(name: string): void }) {
  const [name, setName] = useState("");
  return (
    <Dialog title="Save this view" onClose={onClose}>
      <Form className="stack" send={() => onName(name.trim())}>
        <label htmlFor="view-name">Name</label>
        <input id="view-name" required maxLength={60} value={name} onChange={(event) => setName(event.target.value)} />
        <div className="dialog-actions">
          <button type="submit" className="primary" disabled={name.trim() === ""}>
            Save
          </button>
        </div>
      </Form>
    </Dialog>
  );
}

function readViews(): readonly SavedView[] {
  try {
    const kept: unknown = JSON.parse(readPreference("views") ?? "[]");
    return Array.isArray(kept) ? kept.filter(isSavedView) : [];
  } catch {
    return [];
  }
}

function isSavedView(value: unknown): value is SavedView {
  const { name, to } = (value ?? {}) as Record<string, unknown>;
  return typeof name === "string" && typeof to === "string" && to.startsWith("/") && !to.startsWith("//");
}
