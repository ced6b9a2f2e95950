import { realpathSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { Refusal } from "../../contract/refusal.ts";
import { placesIn } from "./places.ts";

/** What the home itself consists of: nothing that a caller names is written over it, in whatever case they spell it. */
const ownNames =
  /^(crewdeck\.db.*|server\.json.*|credentials\.json.*|config\.json.*|.*\.lock|logs|vault|templates|worktrees|forecast)$/i;

/** Folders of `index` into which a caller may have something written; the others are the index's own. */
const openPlaces = ["models", "dictionaries", "extensions", "triage", "exports"];

/**
 * A path that a caller wants written, if it stays below the home and clear of the home's own files. A relative
 * one begins at the home. Links on the way count for where they lead.
 */
export function confinedPath(homeDir: string, asked: string, kind: "file" | "folder"): string {
  const home = realOf(homeDir);
  const path = realOf(resolve(home, asked));
  const [first = "", second = ""] = relative(home, path).split(sep);
  const isBelow = path !== home && first !== ".." && !isAbsolute(relative(home, path));
  const isOwn = ownNames.test(first) || (first.toLowerCase() === "index" && !openPlaces.includes(second));
  if (!isBelow || isOwn || /\p{Cc}/u.test(asked)) {
    throw new Refusal(
      "FORBIDDEN",
      "Files are only written below Crewdeck's home, and never over its own.",
      `Leave the path out, or choose one below ${join("index", "exports")} in the home.`,
    );
  }
  if (canHold(path, kind)) return path;
  throw new Refusal("INVALID_REQUEST", `No ${kind} can be written at that path.`, "Choose another path.");
}

/** Whether nothing, or the same kind of thing, is there, and only folders are on the way. */
function canHold(path: string, kind: "file" | "folder"): boolean {
  try {
    const there = statSync(path, { throwIfNoEntry: false });
    if (!there) return canHold(dirname(path), "folder");
    return kind === "file" ? there.isFile() : there.isDirectory();
  } catch {
    return false; // Such as a name that is too long.
  }
}

/** The path with every folder of it that exists resolved. */
function realOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realOf(parent), path.slice(parent.length).replace(/^[\\/]/, ""));
  }
}

/** Whether a file is one of the home's own, which are never read as somebody's input. */
export function isOwnFile(homeDir: string, path: string): boolean {
  const inside = relative(realOf(homeDir), path);
  const isBelow = inside !== "" && !inside.startsWith("..") && !isAbsolute(inside);
  return isBelow && !openPlaces.some((name) => path.startsWith(`${join(placesIn(realOf(homeDir)).index, name)}${sep}`));
}
