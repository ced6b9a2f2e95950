import { posix, win32 } from "node:path";
import { Refusal } from "../../contract/refusal.ts";

const isWindowsPath = (path: string): boolean => /^[A-Za-z]:[\\/]/.test(path);

/**
 * The one spelling of a repository's path. The path lives on the developer's machine, which may not be the server's,
 * so it is never looked up here: only its form is judged.
 */
export function normaliseRepositoryPath(path: string): string {
  const flavour = isWindowsPath(path) ? win32 : posix;
  if (!flavour.isAbsolute(path) || /\p{Cc}/u.test(path) || path.split(/[\\/]/).includes("..")) {
    throw new Refusal(
      "INVALID_INPUT",
      "A repository path is absolute and has no '..' or control characters.",
      "Pass the absolute path of the repository's top folder.",
    );
  }
  const normal = flavour.normalize(path);
  return normal.length > 1 ? normal.replace(/[\\/]+$/, "") || normal : normal;
}

/** The whole disk or everybody's home is never a repository. */
export function checkIsNotTooWide(path: string): void {
  const isRoot = /^([A-Za-z]:)?[\\/]?$/.test(path);
  const isHome = /^(\/root|\/home(\/[^/]+)?|\/Users(\/[^/]+)?|[A-Za-z]:\\Users(\\[^\\]+)?)$/.test(path);
  if (isRoot || isHome) {
    throw new Refusal("FORBIDDEN", "A disk or a home folder is not a repository.", "Pass the repository's own folder.");
  }
}

export const nameOfPath = (path: string): string => path.split(/[\\/]/).at(-1) ?? path;
