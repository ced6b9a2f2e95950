import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";

const root = "src/dashboard";
const sources = new Map(listFiles().map((path) => [path, readFileSync(path, "utf8")]));

test("[DK8] whatever class a part uses is styled by a sheet that is loaded with it", () => {
  const everywhere = loadedWith(`${root}/main.tsx`);
  const strangers = listLazyParts().flatMap((part) => {
    const loaded = new Set([...everywhere, ...loadedWith(part)]);
    const styled = new Set([...loaded].filter((path) => path.endsWith(".css")).flatMap(classesIn));
    const used = [...loaded].filter((path) => path.endsWith(".tsx")).flatMap(classesUsed);
    return used
      .filter(({ name }) => isStyledSomewhere(name) && !styled.has(name))
      .map(({ where, name }) => [where, name]);
  });
  expect(strangers).toEqual([]);
});

test("[DK8] no sheet has a class that no part uses", () => {
  const code = [...sources]
    .filter(([path]) => !path.endsWith(".css"))
    .map(([, text]) => text)
    .join("\n");
  const unused = [...sources.keys()]
    .filter((path) => path.endsWith(".css"))
    .flatMap((path) => classesIn(path).map((name) => ({ path, name })))
    .filter(({ name }) => !code.includes(name));
  expect(unused).toEqual([]);
});

function listFiles(): string[] {
  const all = readdirSync(root, { recursive: true, encoding: "utf8" }).map((path) => join(root, path));
  return all.filter((path) => /\.(tsx?|css)$/.test(path));
}

/** A file and all that comes with it; what is imported later is a part of its own. */
function loadedWith(path: string, seen = new Set<string>()): Set<string> {
  if (seen.has(path)) return seen;
  seen.add(path);
  for (const [, from] of (sources.get(path) ?? "").matchAll(/^import (?!type )[^;]*?"(\.[^"]+)";/gms)) {
    loadedWith(normalize(join(dirname(path), from ?? "")), seen);
  }
  return seen;
}

function listLazyParts(): string[] {
  return [...sources].flatMap(([path, text]) =>
    [...text.matchAll(/import\("(\.[^"]+)"\)/g)].map(([, from]) => normalize(join(dirname(path), from ?? ""))),
  );
}

function classesIn(path: string): string[] {
  const names = (sources.get(path) ?? "").replaceAll(/\/\*.*?\*\//gs, "").matchAll(/\.([a-z][a-z-]*)/g);
  return [...names].map(([, name]) => name ?? "");
}

function classesUsed(path: string): { where: string; name: string }[] {
  const written = (sources.get(path) ?? "").matchAll(/className=(?:"([^"]+)"|\{([^}]+)\})/g);
  return [...written].flatMap(([, plain, code]) => {
    const words = plain ?? [...(code ?? "").matchAll(/"([^"]*)"/g)].map(([, text]) => text).join(" ");
    return words.split(/\s+/).map((name) => ({ where: path, name }));
  });
}

function isStyledSomewhere(name: string): boolean {
  return [...sources.keys()].some((path) => path.endsWith(".css") && classesIn(path).includes(name));
}
