import { type ReactNode, useEffect, useRef, useSyncExternalStore } from "react";
import { post } from "../data/api.ts";
import { deck } from "../data/deck.ts";
import { mailReading } from "../data/mail.ts";
import { useDeck, useReading } from "../data/use-reading.ts";
import { readAttention, subscribeAttention } from "../page/attention.ts";
import { bringIntoView } from "../page/into-view.ts";
import { openOverlay } from "../page/overlay.ts";
import { usePlace } from "../page/router.ts";
import { Link } from "../parts/link.tsx";
import { Menu } from "../parts/menu.tsx";
import { attempt } from "../parts/toast.tsx";
import { LiveMark } from "./live-mark.tsx";
import { chooseTheme, themes } from "./theme.ts";
import { type View, views } from "./views.ts";
import "./frame.css";

const groups = ["Now", "Plan", "Record", "Admin"] as const;

/** What is around every view: where one can go, whether what one sees is live, and who one is. */
export function Frame({ children }: { children: ReactNode }) {
  const { path } = usePlace();
  const main = useRef<HTMLElement>(null);
  const lastPath = useRef(path);
  useEffect(() => {
    // A reader who follows a link by keyboard goes on reading in the new view, not in the navigation.
    if (lastPath.current !== path && document.activeElement?.closest("dialog") === null) main.current?.focus();
    lastPath.current = path;
  }, [path]);
  const waiting = useSyncExternalStore(subscribeAttention, readAttention);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a count that appears moves the places beside it.
  useEffect(() => {
    // On a phone the navigation is a strip that may have to be scrolled; in the middle its neighbours show that it goes on.
    bringIntoView(document.querySelector('nav [aria-current="page"]'));
  }, [path, waiting > 0]);
  return (
    <div className="frame">
      <a className="skip" href="#main">
        Skip to content
      </a>
      <header className="top">
        <Link to="/" className="brand">
          <img src="/icon.svg" alt="" width="20" height="20" />
          Crewdeck
        </Link>
        <nav aria-label="Views">
          {groups.map((group) => (
            <NavGroup key={group} title={group} members={views.filter((view) => view.group === group)} path={path} />
          ))}
        </nav>
        <div className="top-end">
          <LiveMark />
          <button type="button" className="find" onClick={() => openOverlay("palette")}>
            Find <kbd>{isMac ? "⌘" : "Ctrl"} K</kbd>
          </button>
          <You />
        </div>
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}

function NavGroup({ title, members, path }: { title: string; members: readonly View[]; path: string }) {
  if (members.length === 0) return null;
  return (
    <section>
      <h2>{title}</h2>
      <ul>
        {members.map((view) => (
          <li key={view.path}>
            <Link
              to={view.path}
              aria-current={path === view.path || path.startsWith(`${view.path}/`) ? "page" : undefined}
            >
              <svg className="nav-icon" viewBox="0 0 16 16" aria-hidden="true">
                <path d={view.icon} />
              </svg>
              <span>{view.title}</span>
              {view.counts === "attention" && <Waiting />}
              {view.counts === "unread" && <Unread />}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Waiting() {
  const count = useSyncExternalStore(subscribeAttention, readAttention);
  if (count === 0) return null;
  return (
    <span className="chip number" data-tone="attention">
      {count}
      <span className="only-spoken"> waiting for you</span>
    </span>
  );
}

function Unread() {
  const mail = useReading(mailReading).value;
  const count = mail
    ? mail.messages.filter((one) => one.status === "unread" && one.recipient_id === mail.me?.id).length
    : 0;
  if (count === 0) return null;
  return (
    <span className="chip number" data-tone="attention">
      {count}
      <span className="only-spoken"> unread</span>
    </span>
  );
}

const isMac = navigator.userAgent.includes("Mac");

function You() {
  const { person } = useDeck();
  const themeItems = themes.map((theme) => ({
    label: theme === "system" ? "System theme" : theme === "light" ? "Light" : "Dark",
    choose: () => chooseTheme(theme),
  }));
  return (
    <Menu
      label={`You, ${person?.handle ?? ""}`}
      className="you"
      items={[
        ...themeItems,
        { label: "Keyboard shortcuts", letter: "?", choose: () => openOverlay("help") },
        { label: "Sign out", choose: () => void attempt(signOut) },
      ]}
    >
      <span className="cut">{person?.handle}</span>
    </Menu>
  );
}

async function signOut(): Promise<void> {
  await post("/api/logout", {});
  deck.leave();
}
