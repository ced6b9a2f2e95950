import type { ComponentProps, MouseEvent } from "react";
import { go, hrefOf } from "../page/router.ts";

export type LinkProps = { readonly to: string } & Omit<ComponentProps<"a">, "href">;

/** A link inside the deck: a real address, followed without loading the page anew. */
export function Link({ to, onClick, ...rest }: LinkProps) {
  function follow(event: MouseEvent<HTMLAnchorElement>): void {
    onClick?.(event);
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    go(to);
  }
  return <a {...rest} href={hrefOf(to)} onClick={follow} />;
}
