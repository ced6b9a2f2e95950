import { useEffect } from "react";
import { useDeck } from "../data/use-reading.ts";
import { useKeys } from "../page/keys.ts";
import { go, usePlace } from "../page/router.ts";
import { Link } from "../parts/link.tsx";
import { Page } from "../parts/page.tsx";
import { Loading } from "../parts/states.tsx";
import { Toasts } from "../parts/toast.tsx";
import { WatchInbox } from "../views/inbox/watch-inbox.tsx";
import { DemoNote } from "./demo-note.tsx";
import { ErrorFence } from "./error-fence.tsx";
import { Frame } from "./frame.tsx";
import { Overlays } from "./overlays.tsx";
import { SignIn } from "./sign-in-view.tsx";
import { findView, home, views } from "./views.ts";

/** Who is not signed in sees the door; everybody else the frame with the view the address names. */
export function App() {
  const { phase } = useDeck();
  if (phase === "starting") return <Centred what="Crewdeck" />;
  if (phase === "unreachable") return <Centred what="Crewdeck; waiting for the server" />;
  if (phase === "signed-out") return <SignIn />;
  return <Inside />;
}

function Inside() {
  const { path } = usePlace();
  useKeys(
    views.flatMap(({ letter, path: to, title }) =>
      letter ? [{ keys: `g ${letter}`, label: title, reach: "going", act: () => go(to) }] : [],
    ),
  );
  useEffect(() => {
    if (path === "/") go(home, { replace: true });
  }, [path]);
  const found = findView(path);
  return (
    <Frame>
      <DemoNote />
      <ErrorFence key={path}>
        {found ? <found.view.component params={found.params} /> : path !== "/" && <NotFound />}
      </ErrorFence>
      <Overlays />
      <Toasts />
      <WatchInbox />
    </Frame>
  );
}

function NotFound() {
  return (
    <Page title="Page not found">
      <p className="state">
        <span>
          There’s nothing at this address. Go to the <Link to={home}>board</Link>.
        </span>
      </p>
    </Page>
  );
}

function Centred({ what }: { what: string }) {
  return (
    <main className="centred">
      <Loading what={what} />
    </main>
  );
}
