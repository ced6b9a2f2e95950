import { type ComponentType, useEffect, useRef, useState } from "react";
import { ApiFailure, read } from "../data/api.ts";
import { deck } from "../data/deck.ts";
import { Failed, Loading, Waiting } from "./states.tsx";

const retryMs = 2_000;
/** A server that is back may just not have been while the part was asked for; more often than this it is something else. */
const mostTriesWithServer = 2;

interface Options {
  readonly what?: string;
  /** There is nothing else on the page that could be lost, so it may be loaded anew. */
  readonly isView?: boolean;
}

/**
 * A component that is loaded when it is first shown, and shown at once from then on. Suspense would do it too, but keeps
 * what it shows meanwhile on the screen for 300 ms, several times as long as loading takes.
 *
 * Some browsers remember that a module couldn't be loaded and never ask for it again. So it isn't asked for while the
 * server is known to be away; if that became known too late, only loading the page anew helps.
 */
export function lazyPart<Name extends string, Props extends object>(
  name: Name,
  load: () => Promise<Readonly<Record<Name, ComponentType<Props>>>>,
  { what, isView = false }: Options = {},
): ComponentType<Props> {
  let component: ComponentType<Props> | undefined;
  let wasAskedInVain = false;

  async function findProblem(): Promise<"away" | "refused" | undefined> {
    if (isLinkDown() && (await isServerGone())) return "away";
    try {
      component = (await load())[name];
      return undefined;
    } catch {
      if (!(await isServerGone())) return "refused";
      wasAskedInVain = true;
      return "away";
    }
  }

  return function Part(props: Props) {
    const [tries, setTries] = useState(0);
    const [isBroken, setBroken] = useState(false);
    const triesWithServer = useRef(0);
    const [, setLoaded] = useState(component !== undefined);
    useEffect(() => {
      if (component) return;
      let isShown = true;
      let retry: ReturnType<typeof setTimeout> | undefined;
      const tryAgain = (): void => setTries(tries + 1);
      findProblem().then((problem) => {
        if (!isShown) return;
        triesWithServer.current = problem === "refused" ? triesWithServer.current + 1 : 0;
        if (problem === undefined) setLoaded(true);
        else if (problem === "away") retry = setTimeout(tryAgain, retryMs);
        else if (wasAskedInVain && isView) location.reload();
        else if (triesWithServer.current < mostTriesWithServer) tryAgain();
        else setBroken(true);
      });
      return () => {
        isShown = false;
        clearTimeout(retry);
      };
    }, [tries]);
    const Component = component;
    if (Component) return <Component {...props} />;
    if (isBroken) return <Failed failure={notLoaded()} onRetry={() => location.reload()} />;
    if (tries > 0) return <Waiting what={what ?? "this part"} onRetry={() => setTries(tries + 1)} />;
    return what === undefined ? null : <Loading what={what} />;
  };
}

function isLinkDown(): boolean {
  const { link } = deck.state;
  return link === "reconnecting" || link === "stale";
}

async function isServerGone(): Promise<boolean> {
  try {
    await read("/api/me", {});
    return false;
  } catch (error) {
    return error instanceof ApiFailure && error.code === "UNREACHABLE";
  }
}

/** As after an update of the server: its parts have other names now. */
const notLoaded = (): ApiFailure =>
  new ApiFailure({
    code: "PART_NOT_LOADED",
    message: "Part of this page couldn’t be loaded.",
    hint: "The server may have been updated. Reload the page.",
  });
