import { type ReactNode, useEffect, useSyncExternalStore } from "react";
import { readAttention, subscribeAttention } from "../page/attention.ts";

interface PageProps {
  readonly title: string;
  /** Beside the title: counts, links. */
  readonly note?: ReactNode;
  readonly actions?: ReactNode;
  /** Fills the window and scrolls inside, for boards and long lists. */
  readonly fills?: boolean;
  readonly children: ReactNode;
}

/** A view's heading and body. The tab's title says the same, and how many things need a person. */
export function Page({ title, note, actions, fills = false, children }: PageProps) {
  const waiting = useSyncExternalStore(subscribeAttention, readAttention);
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ""}${title} · Crewdeck`;
  }, [title, waiting]);
  return (
    <div className="page" data-fills={fills}>
      <div className="page-head">
        <h1>{title}</h1>
        {note && <span className="muted">{note}</span>}
        {actions && <div className="page-actions wrap">{actions}</div>}
      </div>
      {children}
    </div>
  );
}
