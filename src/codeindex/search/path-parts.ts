import { isTestFile } from "../../search/test-files.ts";
import { foldText } from "../query/fold.ts";
import { listStems } from "../segment/stems.ts";

interface PathName {
  /** In small letters. */
  readonly folded: string;
  /** The file's name in small letters, without its ending. */
  readonly stem: string;
}

interface PathParts {
  /** The stems of its name, and those of its folders alone. */
  readonly name: readonly string[];
  readonly folders: readonly string[];
  /** As code names it: without the ending, and without a last part that stands for its folder. */
  readonly module: readonly string[];
  readonly isTest: boolean;
  /** Documents, examples and tools that lie beside what the project is about. */
  readonly isAside: boolean;
}

/** What a path is called. The same ones come up with every search, so they are taken apart once. */
export const nameOf = remember(
  (path): PathName => ({ folded: foldText(path), stem: foldText(listFolders(path).at(-1) ?? "") }),
);

/** What a path consists of: only questions ask for it, and it takes longer. */
export const partsOf = remember((path): PathParts => {
  const parts = listFolders(path);
  const last = parts.at(-1) ?? "";
  const name = listStems(last);
  const folders = new Set(parts.slice(0, -1).flatMap(listStems));
  return {
    name,
    folders: [...folders].filter((stem) => !name.includes(stem)),
    module: standsForFolder.test(last) && parts.length > 1 ? parts.slice(0, -1) : parts,
    isTest: isTestFile(path),
    isAside: aside.test(path),
  };
});

/** Down to the file, which stands last without its ending. */
function listFolders(path: string): string[] {
  return path.replace(/\.[^./]*$/, "").split("/");
}

function remember<Made>(make: (path: string) => Made): (path: string) => Made {
  const known = new Map<string, Made>();
  return (path) => {
    const found = known.get(path);
    if (found) return found;
    if (known.size >= most) known.clear();
    const made = make(path);
    known.set(path, made);
    return made;
  };
}

const most = 100_000;
const standsForFolder = /^(?:__init__|index|mod)$/;
const aside =
  /(?:^|\/)(?:docs?|\.github|tutorials|examples?|samples?|galleries|playground|bench|benchmarks?|asv_bench|scripts|tools|e2e)\//;
