import { createRequire } from "node:module";

/** Whether a package can be loaded that an installation may be without. */
export function hasPackage(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(name);
    return true;
  } catch {
    return false;
  }
}
