/** Where a fault can be planted, and which: what a tired person would get wrong in a rule. */

const comparisons = { "===": "!==", "!==": "===", "<": "<=", "<=": "<", ">": ">=", ">=": ">" };

/** Every place inside a function of a file where one fault fits, with the text that stands for it. */
export function listSites(path, text, { tree, lineOf }) {
  const sites = [];
  const add = (node, what, wrong) =>
    sites.push({ path, line: lineOf(node), start: node.start, end: node.end, what, wrong, isStatement: wrong === "" });
  visit(tree, false, (node) => {
    const textOf = (part) => text.slice(part.start, part.end);
    for (const { what, wrong } of faultsOf(node, textOf)) add(node, what, wrong);
    if (node.type === "IfStatement") add(node.test, "never", "false");
  });
  return sites;
}

function faultsOf(node, textOf) {
  if (node.type === "BinaryExpression" && comparisons[node.operator]) {
    const other = comparisons[node.operator];
    const wrong = `${textOf(node.left)} ${other} ${textOf(node.right)}`;
    return [{ what: `${node.operator} is ${other}`, wrong }];
  }
  if (node.type === "LogicalExpression" && node.operator !== "??") {
    return [
      { what: `${node.operator} without its right side`, wrong: textOf(node.left) },
      { what: `${node.operator} without its left side`, wrong: textOf(node.right) },
    ];
  }
  if (node.type === "UnaryExpression" && node.operator === "!")
    return [{ what: "! is gone", wrong: textOf(node.argument) }];
  if (node.type === "ConditionalExpression") {
    return [
      { what: "always the first", wrong: textOf(node.consequent) },
      { what: "always the second", wrong: textOf(node.alternate) },
    ];
  }
  if (node.type === "ExpressionStatement" && isCall(node.expression)) return [{ what: "is not done", wrong: "" }];
  return [];
}

const isCall = (node) => node.type === "CallExpression" || (node.type === "AwaitExpression" && isCall(node.argument));

/** What runs once when a file is loaded is left out: a switch that is turned later would not reach it. */
function visit(node, isInside, see) {
  if (Array.isArray(node)) {
    for (const child of node) visit(child, isInside, see);
  } else if (node !== null && typeof node === "object") {
    if (typeof node.type === "string" && isInside) see(node);
    const enters = /Function/.test(node.type ?? "");
    for (const child of Object.values(node)) visit(child, isInside || enters, see);
  }
}
