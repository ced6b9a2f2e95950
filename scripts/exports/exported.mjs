/** Every name that a file exports, with its line. What is passed on from another file under its name counts too. */
export function listExports({ tree, lineOf }) {
  return tree.body.flatMap((node) => {
    const line = lineOf(node);
    if (node.type === "ExportDefaultDeclaration") return [{ name: "default", line }];
    if (node.type !== "ExportNamedDeclaration") return [];
    const passed = node.specifiers.map(({ exported }) => exported.name ?? exported.value);
    return [...passed, ...declaredNames(node.declaration)].map((name) => ({ name, line }));
  });
}

function declaredNames(declaration) {
  if (!declaration) return [];
  if (declaration.type === "VariableDeclaration") return declaration.declarations.flatMap(({ id }) => boundNames(id));
  return declaration.id ? [declaration.id.name] : [];
}

/** `a`, or every name of `{ a, b: [c] }`. */
function boundNames(pattern) {
  switch (pattern?.type) {
    case "Identifier":
      return [pattern.name];
    case "ObjectPattern":
      return pattern.properties.flatMap((part) => boundNames(part.value ?? part.argument));
    case "ArrayPattern":
      return pattern.elements.flatMap(boundNames);
    case "AssignmentPattern":
      return boundNames(pattern.left);
    default:
      return [];
  }
}
