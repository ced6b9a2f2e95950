import { type ComponentType, useEffect, useState } from "react";
import { Loading } from "./states.tsx";

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
    const [failure, setFailure] = useState<{ error: unknown }>();
    const [, setLoaded] = useState(component !== undefined);
    useEffect(() => {
      if (component) return;
      let isShown = true;
      load().then(
        (module) => {
          component = module[name];
          if (isShown) setLoaded(true);
        },
        (error: unknown) => isShown && setFailure({ error }),
      );
      return () => {
        isShown = false;
      };
    }, []);
    if (failure) throw failure.error;
    const Component = component;
    if (Component) return <Component {...props} />;
    return what === undefined ? null : <Loading what={what} />;
  };
}
