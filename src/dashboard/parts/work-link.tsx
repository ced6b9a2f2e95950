import { privateName } from "../data/names.ts";
import { Link, type LinkProps } from "./link.tsx";

/** The name of a piece of work, which leads to its page. A private person's has neither name nor page for others. */
export const WorkLink = ({ name, ...link }: Omit<LinkProps, "children"> & { readonly name: string }) =>
  name === privateName ? <span className={link.className}>{name}</span> : <Link {...link}>{name}</Link>;
