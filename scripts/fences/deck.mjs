/**
 * Who may see whom inside the deck. A folder sees itself, and only what its row names; of `views` each folder is a view,
 * and no view sees another: what two of them need lies below both.
 */
const folders = {
  look: [],
  data: [],
  page: [],
  parts: ["data", "page", "look"],
  views: ["parts", "data", "page", "look"],
  app: ["views", "parts", "data", "page", "look"],
};

const placeOf = (path) => /^src\/dashboard\/(?:([^/]+)\/)?(?:([^/]+)\/)?[^/]+$/.exec(path);

/** Why an import from one file of the deck to another breaks its fences, or undefined. */
export function judgeDeck(path, wanted) {
  const [, folder, view] = placeOf(path) ?? [];
  const [, other, otherView] = placeOf(wanted.target ?? "") ?? [];
  // What ties everything together lies beside the folders.
  if (folder === undefined || other === undefined) return undefined;
  const seen = folders[folder];
  if (!seen) return `src/dashboard/${folder} is no folder of the deck; they are ${Object.keys(folders).join(", ")}`;
  if (folder === "views" && other === "views") {
    return view === otherView ? undefined : "a view may not see another view";
  }
  return folder === other || seen.includes(other) ? undefined : `${folder} of the deck may not see its ${other}`;
}
