import { walk } from "../steps/syntax.mjs";

/** The one place that knows how long tests wait, and for what. */
const place = "src/testing/waiting.ts";
const sleeps = `tests wait for facts, with ${place}`;
const limits = `the patience of all tests is in ${place}`;

const takesTests = ["test", "it", "describe", "beforeAll", "beforeEach", "afterAll", "afterEach"];

export const isOfTests = (path) => /^(tests|src\/testing)\/.*\.ts$/.test(path) && path !== place;

/** Where a test lets time pass instead of waiting for what it needs, or names a time limit of its own. */
export function listHaste({ tree, lineOf }, imports) {
  const found = imports
    .filter(({ target, names }) => /^(node:)?timers\/promises$/.test(target ?? "") && names.includes("setTimeout"))
    .map(({ line, target }) => ({ line, what: `${target} setTimeout`, fence: sleeps }));
  for (const node of walk(tree)) {
    const what = sleepIn(node);
    if (what) found.push({ line: lineOf(node), what, fence: sleeps });
    if (isOwnLimit(node)) found.push({ line: lineOf(node), what: "a time limit", fence: limits });
  }
  return found;
}

/** Without a delay it only lets others go first. */
function sleepIn(node) {
  if (node.type !== "CallExpression") return undefined;
  const { callee } = node;
  if (callee.type === "Identifier" && callee.name === "setTimeout" && node.arguments.length > 1) return "setTimeout";
  if (callee.type === "MemberExpression" && callee.property.name === "waitForTimeout") return "waitForTimeout";
  return undefined;
}

function isOwnLimit(node) {
  if (node.type === "Property") return node.key.name === "timeout" && isNumber(node.value);
  if (node.type !== "CallExpression") return false;
  if (node.callee.property?.name?.match(/^setDefault(Navigation)?Timeout$/)) return isNumber(node.arguments[0]);
  return takesTests.includes(rootOf(node.callee)) && node.arguments.length > 1 && isNumber(node.arguments.at(-1));
}

const isNumber = (node) => node?.type === "Literal" && typeof node.value === "number";

/** The `test` of `test.each(cases)`. */
function rootOf(node) {
  if (node.type === "CallExpression" || node.type === "TaggedTemplateExpression")
    return rootOf(node.callee ?? node.tag);
  return node.type === "MemberExpression" ? rootOf(node.object) : node.name;
}
