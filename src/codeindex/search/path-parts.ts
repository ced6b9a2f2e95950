import { foldText } from "../query/fold.ts";
import { listStems } from "../segment/stems.ts";

interface PathParts {
  /** In small letters. */
  readonly folded: string;
  /** The file's name in small letters, without its ending. */
  readonly stem: string;
  /** The stems of its name, and those of its folders alone. */
  readonly name: readonly string[];
  readonly folders: readonly string[];
  /** As code names it: without the ending, and without a last part that stands for its folder. */
  readonly module: readonly string[];
  readonly isTest: boolean;
  /** Documents, examples and tools that lie beside what the project is about. */
  readonly isAside: boolean;
}

const most = 100_000;
const known = new Map<string, PathParts>();

/** What a path consists of. The same ones come up with every search, so they are taken apart once. */
export function partsOf(path: string): PathParts {
  const found = known.get(path);
  if (found) return found;
  if (known.size >= most) known.clear();
  const made = readParts(path);
  known.set(path, made);
  return made;
}

function readParts(path: string): PathParts {
  const parts = path.replace(/\.[^./]*$/, "").split("/");
  const last = parts.at(-1) ?? "";
  const name = listStems(last);
  const folders = new Set(parts.slice(0, -1).flatMap(listStems));
  return {
    folded: foldText(path),
    stem: foldText(last),
    name,
    folders: [...folders].filter((stem) => !name.includes(stem)),
    module: standsForFolder.test(last) && parts.length > 1 ? parts.slice(0, -1) : parts,
    isTest: tests.test(path),
    isAside: aside.test(path),
  };
}

const standsForFolder = /^(?:__init__|index|mod)$/;
const tests =
  /(?:^|\/)(?:tests?|testing|__tests__|spec|testdata)\/|(?:^|\/)(?:test_|conftest\.)[^/]*$|[._-](?:test|spec)s?\.[^/]*$|Tests?\.[a-z]+$/;
const aside =
  /(?:^|\/)(?:docs?|examples?|samples?|galleries|playground|bench|benchmarks?|asv_bench|scripts|tools|e2e)\//;
