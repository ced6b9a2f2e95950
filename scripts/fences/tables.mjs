import { textOf, walk } from "../steps/syntax.mjs";
import { placeOf } from "./nouns.mjs";
import { roomOf } from "./rooms.mjs";

/** Whose each table is: a noun's, or a room's of its own. */
const owners = {
  agent: "agent",
  answer: "engine",
  brief: "workflow",
  budget: "usage",
  checkPermit: "evidence",
  codeClaim: "claim",
  collision: "forecast",
  dependency: "task",
  developer: "person",
  deviceGrant: "person",
  errand: "engine",
  evidence: "evidence",
  feedback: "review",
  fileMark: "agent",
  finding: "finding",
  filedIssue: "pull",
  footprint: "task",
  heard: "context",
  instance: "instance",
  intent: "intent",
  ledger: "ledger",
  machine: "person",
  message: "message",
  meta: "storage",
  note: "note",
  notice: "message",
  phase: "workflow",
  pull: "pull",
  pullComment: "pull",
  report: "context",
  repository: "project",
  review: "review",
  scopeCheck: "overlap",
  session: "agent",
  sharedContext: "exchange",
  span: "usage",
  task: "task",
  team: "person",
  template: "template",
  token: "person",
  unsealed: "ledger",
  vaultEntry: "worktree",
  verdict: "overlap",
  warning: "overlap",
  workflow: "workflow",
  worktree: "worktree",
};

const naming = [
  "selectFrom",
  "insertInto",
  "updateTable",
  "deleteFrom",
  "replaceInto",
  "mergeInto",
  ...["inner", "left", "right", "full", "cross"].flatMap((kind) => [`${kind}Join`, `${kind}JoinLateral`]),
];

/** Whatever follows these words in a statement; unquoted only where the text surely is one. */
const quoted = /\b(?:from|join|into|update)\s+"(\w+)"/gi;
const anyName = /\b(?:from|join|into|update)\s+"?(\w+)/gi;

/** Where a file names a table that is not its own. */
export function listForeignTables(path, { tree, lineOf }) {
  if (path.startsWith("src/storage/schema")) return listHomeless(tree, lineOf);
  if (["storage", "testing", "dashboard"].includes(roomOf(path))) return [];
  const found = new Map();
  for (const node of walk(tree)) {
    for (const table of listTables(node)) {
      const fence = judgeTable(path, table);
      if (fence) found.set(`${lineOf(node)} ${table}`, { line: lineOf(node), what: table, fence });
    }
  }
  return [...found.values()];
}

function judgeTable(path, table) {
  if (!(table in owners)) return "a table is named by a plain string, and has an owner in scripts/fences/tables.mjs";
  const place = placeOf(path);
  const here = place?.noun ?? roomOf(path);
  if (place && !["store", "queries"].includes(place.role)) return "only stores and queries name tables";
  if (owners[table] === here) return undefined;
  // Read models that cross nouns are what context is for; it writes nothing of theirs.
  if (here === "context" && place.role === "queries" && !["engine", "storage"].includes(owners[table]))
    return undefined;
  return `${here} touches only its own tables, and this is one of ${owners[table]}`;
}

function listTables(node) {
  if (node.type === "TemplateElement") return listKnown(node.value.cooked, quoted);
  if (node.type === "Literal" && typeof node.value === "string") return listKnown(node.value, quoted);
  if (node.type !== "CallExpression" || node.callee.type !== "MemberExpression") return [];
  const word = node.callee.property.name ?? node.callee.property.value;
  const [first] = node.arguments;
  if (word === "sql") return listKnown(statementOf(first), anyName);
  return naming.includes(word) ? namesIn(first) : [];
}

const listKnown = (text, pattern) =>
  [...text.matchAll(pattern)].map(([, name]) => name).filter((name) => name in owners);

const statementOf = (node) =>
  node?.type === "TemplateLiteral" ? node.quasis.map((part) => part.value.cooked).join(" ? ") : (textOf(node) ?? "");

/** `"task"`, `"task as first"`, a list of them, or another query under a name of its own, which was looked at by itself. */
function namesIn(node) {
  if (node?.type === "ArrayExpression") return node.elements.flatMap(namesIn);
  if (node?.type === "ArrowFunctionExpression") return [];
  if (node?.type === "CallExpression" && node.callee.property?.name === "as") return [];
  return [textOf(node)?.split(" ")[0] ?? "…"];
}

/** Tables of the schema that nobody owns. */
function listHomeless(tree, lineOf) {
  const fence = "belongs to no noun; add it to scripts/fences/tables.mjs";
  return walk(tree)
    .filter((node) => node.type === "TSInterfaceDeclaration" && node.id.name.endsWith("Tables"))
    .flatMap((node) => node.body.body)
    .filter((member) => member.type === "TSPropertySignature" && !(member.key.name in owners))
    .map((member) => ({ line: lineOf(member), what: member.key.name, fence }));
}
