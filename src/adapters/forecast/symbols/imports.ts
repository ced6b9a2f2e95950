import type { Family } from "./families.ts";

/** One thing that a file says it needs: from where, and the names it takes. */
export interface Import {
  readonly from: string;
  readonly names: string;
}

const looks: Readonly<Record<Family, readonly RegExp[]>> = {
  js: [
    /\b(?:import|export)\s+(?<names>[^;'"()]{0,1000}?)\s*from\s*["'](?<from>[^"'\n]+)["']/g,
    /\bimport\s*\(?\s*["'](?<from>[^"'\n]+)["']/g,
    /(?:(?:const|let|var)\s+(?<names>[^=;]{1,400}?)\s*=\s*)?(?:require|import)\(\s*["'](?<from>[^"'\n]+)["']/g,
  ],
  py: [
    /^[ \t]*from\s+(?<from>[\w.]+)\s+import\s+(?<names>\([^)]{0,4000}\)|(?:\\\r?\n|[^\n])*)/gm,
    /^[ \t]*import\s+(?<from>[\w.]+)/gm,
  ],
  go: [/^(?:import)?[ \t]*(?<names>[\w.]+[ \t]+)?"(?<from>[\w.~/-]+)"[ \t]*$/gm],
  java: [/^import\s+(?:static\s+)?(?<from>[\w.]+(?:\.\*)?)\s*;/gm],
  rs: [
    /^[ \t]*(?:pub(?:\([^)]*\))?\s+)?use\s+(?<from>[^;{]{1,400})(?<names>\{[^;]{0,4000}\})?\s*;/gm,
    /^[ \t]*(?:pub\s+)?mod\s+(?<from>\w+)\s*;/gm,
  ],
};

export function readImports(text: string, family: Family): Import[] {
  return looks[family].flatMap((look) =>
    [...text.matchAll(look)].map(({ groups }) => ({
      from: (groups?.["from"] ?? "").trim(),
      names: (groups?.["names"] ?? "").replace(/\s+/g, " "),
    })),
  );
}

/** Whether an import of a file leads to another, as far as their names tell. */
export function leadsTo(wanted: Import, path: string, family: Family): boolean {
  const steps = stepsOf(path);
  const last = steps.at(-1) ?? "";
  const words = wanted.from.split(/[./:\\]+/).filter((word) => word !== "");
  if (family === "go") return words.at(-1) === steps.at(-2) || words.at(-2) === steps.at(-2);
  return words.includes(last) || new RegExp(`\\b${plain(last)}\\b`).test(wanted.names);
}

/** Folders and the file's own name; a file that stands for its folder has the folder's name. */
function stepsOf(path: string): string[] {
  const steps = path.replace(/(?:\.d)?\.[a-z]+$/, "").split("/");
  return /^(?:index|mod|__init__|lib)$/.test(steps.at(-1) ?? "") && steps.length > 1 ? steps.slice(0, -1) : steps;
}

/** Whether an import is of exactly this file. */
export function isImportOf(wanted: Import, by: string, path: string, family: Family): boolean {
  const steps = stepsOf(path).join("/");
  if (family === "js") {
    if (!wanted.from.startsWith(".")) return false;
    return stepsOf(join(by, wanted.from)).join("/") === steps;
  }
  if (family === "java") return steps.endsWith(wanted.from.replaceAll(".", "/")) && wanted.from.includes(".");
  if (family !== "py") return false;
  const up = /^\.*/.exec(wanted.from)?.[0].length ?? 0;
  const place = wanted.from.slice(up).replaceAll(".", "/");
  if (up > 0) return join(by, `${"./".concat("../".repeat(up - 1))}${place}`) === steps;
  return place.includes("/") && (steps === place || steps.endsWith(`/${place}`));
}

function join(by: string, relative: string): string {
  const steps = by.split("/").slice(0, -1);
  for (const step of relative.split("/")) {
    if (step === "..") steps.pop();
    else if (step !== "." && step !== "") steps.push(step);
  }
  return steps.join("/");
}

const plain = (word: string): string => word.replace(/[^\w]/g, "\\$&");
