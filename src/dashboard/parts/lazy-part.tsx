import { type ComponentType, useEffect, useState } from "react";
import { Loading, Waiting } from "./states.tsx";

const retryMs = 2_000;

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
    const [, setLoaded] = useState(component !== undefined);
    useEffect(() => {
      if (component) return;
      let isShown = true;
      let retry: ReturnType<typeof setTimeout> | undefined;
      load().then(
        (module) => {
          component = module[name];
          if (isShown) setLoaded(true);
        },
        // The server is gone, or was replaced by a newer one whose parts have other names.
        () => {
          if (isShown) retry = setTimeout(() => setTries(tries + 1), retryMs);
        },
      );
      return () => {
        isShown = false;
        clearTimeout(retry);
      };
    }, [tries]);
    const Component = component;
    if (Component) return <Component {...props} />;
    if (tries > 0) return <Waiting what={what ?? "this part"} onRetry={() => setTries(tries + 1)} />;
    return what === undefined ? null : <Loading what={what} />;
  };
}
