import { walk } from "../steps/syntax.mjs";
import { roomOf } from "./rooms.mjs";

/** Where something may be written to stdout: elsewhere a stray line would break the protocol of a stdio client. */
const speaksToStdout = /^src\/(testing|transports\/(cli|bridge|hook))\/|^src\/transports\/mcp\/stdio[a-z-]*\.ts$/;

/** What a family needs of these is a field of its definitions. */
const knowsNoFamily = /^src\/(engine\/|tools\/catalog\.ts$)/;

const shellFunctions = ["exec", "execSync"];

/** Chance and time come in with the work, so that the core can be simulated. */
const impureCalls = ["Date.now", "Math.random", "performance.now", "setTimeout", "setInterval", "fetch"];
const impureImports = ["randomBytes", "randomUUID", "randomInt", "getRandomValues"];

/** What a file does that no file, or no file of its room, may do. */
export function listMisconduct(path, { tree, lineOf }, imports) {
  const found = [];
  const add = (line, what, fence) => found.push({ line, what, fence });
  const usesProcesses = imports.some((wanted) => isChildProcess(wanted.target));
  for (const wanted of imports) judgeImport(path, wanted, add);
  for (const node of walk(tree)) {
    if (!speaksToStdout.test(path))
      judgeOutput(node, (what) =>
        add(lineOf(node), what, "only the CLI, the hook and the stdio gate may write to stdout"),
      );
    if (isShellOption(node, usesProcesses)) add(lineOf(node), "shell", "no program is ever started through a shell");
    if (usesProcesses && !plainGit.includes(path) && isPlainGit(node)) {
      add(lineOf(node), "git", `git runs through the one opener, ${gitOpener}`);
    }
    if (knowsNoFamily.test(path) && isFamilyQuestion(node))
      add(lineOf(node), "family", "the engine and the catalogue know no family: the definition gets a field");
    if (isPure(path))
      judgeImpure(node, (what) =>
        add(lineOf(node), what, "contract, search and domain take time and chance from the work they are given"),
      );
  }
  return found;
}

const isPure = (path) => ["contract", "search", "domain"].includes(roomOf(path));

const isChildProcess = (target) => target === "node:child_process" || target === "child_process";

/** Whatever keeps a foreign repository from running its own programs is kept there. */
const gitRunner = "src/adapters/git/run.ts";
const gitOpener = "src/adapters/git/open.ts";

/**
 * They ask for nothing that could run a program: the name of the person, where hooks belong, what is about to be
 * committed by a git that heeds the configuration anyway.
 */
const plainGit = ["src/adapters/git-identity.ts", "src/companion/setup/git-hook.ts", "src/companion/hook/commit.ts"];
const startFunctions = ["execFile", "execFileSync", "spawn", "spawnSync"];

/** What reads where others write, and any file may be a pipe, a device or a link to somewhere else. */
const readsRepositories =
  /^src\/adapters\/(git|evidence|checks|forecast|launcher)\/|^src\/adapters\/template-files\.ts$|^src\/companion\/watch\//;
const fileReaders = /^(open|openSync|readFile|readFileSync|createReadStream|copyFile|copyFileSync|cp|cpSync|read|\*)$/;
const regularReader = "src/adapters/regular-file.ts";
/** They open files to write them, exclusively and through no link. */
const fileWriters = ["src/adapters/git/write-files.ts", "src/adapters/git/feedback.ts"];

function judgeImport(path, { line, target, names, isType }, add) {
  if (isType) return;
  if (/^node:fs(\/promises)?$/.test(target ?? "") && readsRepositories.test(path)) {
    const isReader = (name) => fileReaders.test(name) && !(name === "open" && fileWriters.includes(path));
    for (const name of names.filter(isReader)) {
      add(line, name, `files of a repository are read through ${regularReader}`);
    }
  }
  if (target === gitRunner && names.includes("runGit") && path !== gitOpener) {
    add(line, "runGit", `git runs through the one opener, ${gitOpener}`);
  }
  if (isChildProcess(target)) {
    for (const name of names.filter((name) => shellFunctions.includes(name))) {
      add(line, `${target} ${name}`, "no program is ever started through a shell");
    }
    if (names.includes("*")) add(line, target, "import its functions by name, so that this check can see them");
  }
  if (target === "node:crypto" && isPure(path)) {
    for (const name of names.filter((name) => impureImports.includes(name))) {
      add(line, `${target} ${name}`, "contract, search and domain take time and chance from the work they are given");
    }
  }
}

function judgeOutput(node, add) {
  if (node.type !== "MemberExpression" || node.object.type !== "Identifier") return;
  if (node.object.name === "console") add(nameOf(node));
  if (node.object.name === "process" && node.property.name === "stdout") add(nameOf(node));
}

function isShellOption(node, usesProcesses) {
  if (node.type !== "Property" || (node.key.name ?? node.key.value) !== "shell") return false;
  if (node.value.type === "Literal") return Boolean(node.value.value);
  return usesProcesses;
}

/** `execFile("git", …)`, and the same with a promise. */
function isPlainGit({ type, callee, arguments: words }) {
  if (type !== "CallExpression" || words[0]?.type !== "Literal" || words[0].value !== "git") return false;
  const called = callee.type === "CallExpression" ? callee.arguments[0] : callee;
  return startFunctions.includes(called?.name);
}

/** `tool.family === "team"`, or a switch over it. */
function isFamilyQuestion(node) {
  if (node.type === "SwitchStatement") return isFamily(node.discriminant);
  return node.type === "BinaryExpression" && (isFamily(node.left) || isFamily(node.right));
}

const isFamily = (node) => {
  const inner = node.type === "ChainExpression" ? node.expression : node;
  return inner.type === "MemberExpression" ? inner.property.name === "family" : inner.name === "family";
};

function judgeImpure(node, add) {
  if (node.type === "CallExpression" && impureCalls.includes(nameOf(node.callee))) add(nameOf(node.callee));
  if (node.type === "NewExpression" && node.callee.name === "Date" && node.arguments.length === 0) add("new Date()");
  if (node.type === "MemberExpression" && node.object.name === "process") add(nameOf(node));
}

const nameOf = (node) =>
  node.type === "MemberExpression" ? `${nameOf(node.object)}.${node.property.name ?? "…"}` : (node.name ?? "…");
