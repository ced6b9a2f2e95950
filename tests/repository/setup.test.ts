import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addFiles, copyFromRepository, lastLine, linkPackages, plantTree, runScript } from "./planted-tree.ts";

/** A small package of its own with the real scripts, compiler, linter and test runner. */
const files = {
  "package.json": `${JSON.stringify({ name: "planted", version: "1.0.0", type: "module" }, null, 2)}\n`,
  "package-lock.json": `${JSON.stringify({ name: "planted", lockfileVersion: 3, packages: {} }, null, 2)}\n`,
  "src/contract/word.ts": "export const word = 1;\n",
  "src/dashboard/index.html": `<!doctype html>\n<title>Planted</title>\n<script type="module" src="/main.ts"></script>\n`,
  "src/dashboard/main.ts": `document.title = "Planted";\n`,
  "scripts/gen.mjs": "process.exitCode = 0;\n",
  "docs/spec/words.md": "- **ZA1** A word is kept.\n",
  "vitest.config.ts": "export default {};\n",
  "vitest.unit.config.ts": "export default {};\n",
  "tests/word.test.ts": [
    `import { expect, test } from "vitest";`,
    `import { word } from "../src/contract/word.ts";`,
    "",
    `test("[ZA1] a word is kept", () => expect(word).toBe(1));`,
    "",
  ].join("\n"),
};

let root = "";
let remove: () => void = () => undefined;

beforeAll(() => {
  ({ root, remove } = plantTree());
  copyFromRepository(root, ["scripts", "tsconfig.json", "tsconfig.deck.json", "biome.json"]);
  for (const own of ["scripts/gen", "scripts/gen.mjs"]) rmSync(join(root, own), { recursive: true, force: true });
  withdrawCitations(join(root, "scripts"));
  addFiles(root, files);
  linkPackages(root);
  addFiles(root, { "node_modules/.package-lock.json": "{}" });
});
afterAll(() => remove());

/** The scripts cite rules of the repository in their comments; this package has rules of its own. */
function withdrawCitations(folder: string): void {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".mjs"));
  for (const file of names.map((name) => join(folder, name))) {
    writeFileSync(file, readFileSync(file, "utf8").replaceAll(/ \((?:[A-Z]{2}\d+(?:, |–)?)+\)/g, ""));
  }
}

describe("the build", () => {
  const output = (path: string) => join(root, "dist", path);

  test("[RE2] compiles the source and bundles the deck for browsers", async () => {
    expect(await runScript("build.mjs", [], { root })).toEqual({ code: 0, stdout: "", stderr: "building…\n" });
    expect(readFileSync(output("contract/word.js"), "utf8")).toBe(
      "// src/contract/word.ts\nconst word = 1;\nexport { word };\n",
    );
    const script = /src="\/(assets\/index-[\w-]+\.js)"/.exec(readFileSync(output("dashboard/index.html"), "utf8"))?.[1];
    expect(readFileSync(output(`dashboard/${script}`), "utf8")).toContain("Planted");
  });

  test("[RE2] a build that fails leaves the last good one as it was", async () => {
    addFiles(root, { "src/contract/broken.ts": "export const broken = ;\n" });
    const ended = await runScript("build.mjs", [], { root });
    rmSync(join(root, "src/contract/broken.ts"));
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain("src/contract/broken.ts");
    expect(existsSync(output("contract/word.js"))).toBe(true);
    expect(existsSync(output("contract/broken.js"))).toBe(false);
  });

  test("[RE6] what was built from a source that is gone does not stay", async () => {
    addFiles(root, { "src/contract/gone.ts": "export const gone = 1;\n" });
    await runScript("build.mjs", [], { root });
    expect(existsSync(output("contract/gone.js"))).toBe(true);
    rmSync(join(root, "src/contract/gone.ts"));
    await runScript("build.mjs", [], { root });
    expect(existsSync(output("contract/gone.js"))).toBe(false);
  });
});

describe("npm test", () => {
  const testTree = (env: NodeJS.ProcessEnv = {}) => runScript("test.mjs", [], { root, env: { CI: "true", ...env } });

  test("[RE7] the last line counts every check and every test", async () => {
    const ended = await testTree();
    expect({ code: ended.code, last: lastLine(ended.stdout) }).toEqual({ code: 0, last: "9 passed, 0 failed" });
  });

  test("[RE7, RE8] a failed check, a failed test, a file that cannot be loaded and a skipped test each count", async () => {
    addFiles(root, {
      "tests/more.test.ts": [
        `import { expect, test } from "vitest";`,
        "",
        `test("fails", () => expect(1).toBe(2));`,
        `test.skip("is skipped", () => undefined);`,
        `test("[ZA9] cites no rule", () => undefined);`,
        "",
      ].join("\n"),
      "tests/broken.test.ts": `throw new Error("not loadable");\n`,
    });
    const ended = await testTree();
    for (const path of ["tests/more.test.ts", "tests/broken.test.ts"]) rmSync(join(root, path));
    expect(ended.stderr).toContain("FAIL  rules");
    expect({ code: ended.code, last: lastLine(ended.stdout) }).toEqual({
      code: 1,
      last: "9 passed, 3 failed, 1 skipped",
    });
  });

  test("[RE8] an error outside the tests is a failure although every test passed", async () => {
    addFiles(root, {
      "tests/stray.test.ts": [
        `import { test } from "vitest";`,
        "",
        `test("leaves a rejection behind", () => void Promise.reject(new Error("stray")));`,
        "",
      ].join("\n"),
    });
    const ended = await testTree();
    rmSync(join(root, "tests/stray.test.ts"));
    expect({ code: ended.code, last: lastLine(ended.stdout) }).toEqual({ code: 1, last: "10 passed, 1 failed" });
  });

  test("[RE9] a program that is missing and may not be installed is named with its package", async () => {
    const ended = await testTree({ PATH: join(root, "nowhere") });
    expect(ended.stderr).toContain("sudo apt-get install git tmux chromium chromium-headless-shell strace");
    expect({ code: ended.code, last: lastLine(ended.stdout) }).toEqual({ code: 1, last: "0 passed, 1 failed" });
  });
});

describe("programs of the system", () => {
  /** Stands for Debian's own: knows no package until its lists are fetched, then installs what is asked for. */
  const packageManager = `#!/bin/sh
cd "$(/usr/bin/dirname "$0")" || exit 1
echo "$1" >> log
[ "$1" = update ] && exec /usr/bin/touch fetched
[ -e fetched ] || exit 100
for name in git tmux chromium chromium-headless-shell strace; do echo "#!/bin/sh" > "$name"; /bin/chmod +x "$name"; done
`;

  test.runIf(process.getuid?.() === 0)(
    "[RE9] missing programs are installed, with fresh lists if need be",
    async () => {
      addFiles(root, { "programs/apt-get": packageManager });
      chmodSync(join(root, "programs/apt-get"), 0o755);
      const ended = await runScript("test.mjs", [], { root, env: { CI: "true", PATH: join(root, "programs") } });
      const asked = readFileSync(join(root, "programs/log"), "utf8").trim().split("\n");
      rmSync(join(root, "programs"), { recursive: true });
      expect(asked.slice(-2)).toEqual(["update", "install"]);
      expect({ code: ended.code, last: lastLine(ended.stdout) }).toEqual({ code: 0, last: "9 passed, 0 failed" });
    },
  );
});

describe("npm run check", () => {
  const checkTree = () => runScript("check.mjs", [], { root });

  test("[RE10] every check and the unit tests are run", async () => {
    const ended = await checkTree();
    expect(
      ended.stdout
        .match(/^ok {4}\w[\w ]+?(?= {2})/gm)
        ?.map((line) => line.slice(6))
        .sort(),
    ).toEqual(["deck types", "exports", "fences", "generated files", "lint", "rules", "types", "unit tests"]);
    expect({ code: ended.code, last: lastLine(ended.stdout) }).toEqual({ code: 0, last: "all is well" });
  });

  test("[RE10] what failed is named and its output shown", async () => {
    addFiles(root, { "src/contract/wrong.ts": `import "../storage/open.ts";\n` });
    const ended = await checkTree();
    rmSync(join(root, "src/contract/wrong.ts"));
    expect(ended.stdout).toContain("src/contract/wrong.ts:1  src/storage/open.ts  contract may not see storage");
    expect({ code: ended.code, last: lastLine(ended.stdout) }).toEqual({ code: 1, last: "failed: types, fences" });
  });
});

describe("packages", () => {
  const stamp = () => join(root, "node_modules", ".crewdeck-lockfile");

  test("[RE1] nothing is installed while the lockfile is the one that was installed from", async () => {
    const ended = await runScript("build.mjs", [], { root });
    expect(ended.stderr).toBe("building…\n");
    expect(existsSync(stamp())).toBe(true);
  });

  test("[RE28] packages of another lockfile behind a link are left alone", async () => {
    const { root: linked, remove: removeLinked } = plantTree({
      "behind/marker": "kept",
      "package.json": files["package.json"],
      "package-lock.json": files["package-lock.json"],
    });
    copyFromRepository(linked, ["scripts"]);
    symlinkSync(join(linked, "behind"), join(linked, "node_modules"));
    const ended = await runScript("build.mjs", [], { root: linked });
    const kept = existsSync(join(linked, "behind/marker"));
    removeLinked();
    expect({ code: ended.code, kept }).toEqual({ code: 1, kept: true });
    expect(ended.stderr).toContain("node_modules is a link");
  });

  test("[RE1] a changed lockfile is installed from again", async () => {
    const before = readFileSync(stamp(), "utf8");
    const packages = { "": { name: "planted", version: "1.0.0" } };
    const lockfile = { name: "planted", version: "1.0.0", lockfileVersion: 3, packages };
    writeFileSync(join(root, "package-lock.json"), JSON.stringify(lockfile));
    const ended = await runScript("build.mjs", [], { root });
    expect(ended.stderr).toContain("installing packages…");
    expect(statSync(stamp()).isFile()).toBe(true);
    expect(readFileSync(stamp(), "utf8")).not.toBe(before);
  });
});
