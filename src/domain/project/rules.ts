import { posix, win32 } from "node:path";
import { Refusal } from "../../contract/refusal.ts";

const flavourOf = (path: string): typeof posix => (/^[A-Za-z]:[\\/]/.test(path) ? win32 : posix);

export const isAbsolutePath = (path: string): boolean => flavourOf(path).isAbsolute(path);

/**
 * The one spelling of a repository's path. The path lives on the developer's machine, which may not be the server's,
 * so it is never looked up here: only its form is judged.
 */
export function normaliseRepositoryPath(path: string): string {
  const flavour = flavourOf(path);
  if (!flavour.isAbsolute(path) || /\p{Cc}/u.test(path) || path.split(/[\\/]/).includes("..")) {
    throw new Refusal(
      "INVALID_INPUT",
      "A repository path is absolute and has no '..' or control characters.",
      "Pass the absolute path of the repository's top folder.",
    );
  }
  const whole = flavour.normalize(path);
  const isRoot = whole === flavour.parse(whole).root;
  const normal = !isRoot && whole.endsWith(flavour.sep) ? whole.slice(0, -1) : whole;
  return flavour === win32 ? `${normal.slice(0, 1).toUpperCase()}${normal.slice(1)}` : normal;
}

/** The whole disk or everybody's home is never a repository. */
export function checkIsNotTooWide(path: string): void {
  const isRoot = path === flavourOf(path).parse(path).root;
  const isHome = /^(\/root|\/home(\/[^/]+)?|\/Users(\/[^/]+)?)$/.test(path) || /^[A-Z]:\\users(\\[^\\]+)?$/i.test(path);
  if (isRoot || isHome) {
    throw new Refusal("FORBIDDEN", "A disk or a home folder is not a repository.", "Pass the repository's own folder.");
  }
}

export const nameOfPath = (path: string): string => flavourOf(path).basename(path);
