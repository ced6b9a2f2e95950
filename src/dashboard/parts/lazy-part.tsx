import { type ComponentType, useEffect, useRef, useState } from "react";
import { ApiFailure, read } from "../data/api.ts";
import { Failed, Loading, Waiting } from "./states.tsx";

const retryMs = 2_000;
/** A server that is back may just not have been while the part was asked for; more often than this it is something else. */
const mostTriesWithServer = 2;

/**
 * A component that is loaded when it is first shown, and shown at once from then on. Suspense would do it too, but keeps
 * what it shows meanwhile on the screen for 300 ms, several times as long as loading takes.
 */
export function lazyPart<Name extends string, Props extends object>(
  name: Name,
  load: () => Promise<Readonly<Record<Name, ComponentType<Props>>>>,
  { what }: { what?: string } = {},
): ComponentType<Props> {
  let component: ComponentType<Props> | undefined;
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
      load().then(
        (module) => {
          component = module[name];
          if (isShown) setLoaded(true);
        },
        async () => {
          const isGone = await isServerGone();
          if (!isShown) return;
          triesWithServer.current = isGone ? 0 : triesWithServer.current + 1;
          if (isGone) retry = setTimeout(tryAgain, retryMs);
          else if (triesWithServer.current < mostTriesWithServer) tryAgain();
          else setBroken(true);
        },
      );
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
