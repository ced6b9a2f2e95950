import { modifierIn, quoted, type Syntax, wordSet } from "./syntax.ts";

const keywords = wordSet(
  `abstract any as asserts async await boolean break case catch class const constructor continue debugger declare default
   delete do else enum export extends false finally for from function get if implements import in infer instanceof interface
   is keyof let module namespace never new null number object of override package private protected public readonly return
   satisfies set static string super switch symbol this throw true try type typeof undefined unique unknown var void while
   with yield`,
);

const common = `
(function_declaration name: (_) @n parameters: (_) @p body: (_) @b) @d.function
(generator_function_declaration name: (_) @n parameters: (_) @p body: (_) @b) @d.function
(method_definition name: (_) @n parameters: (_) @p body: (_) @b) @d.method
(variable_declarator name: (identifier) @n value: [(arrow_function parameters: (_) @p body: (_) @b)
  (arrow_function parameter: (_) @p body: (_) @b) (function_expression parameters: (_) @p body: (_) @b)
  (generator_function parameters: (_) @p body: (_) @b)]) @d.function
(assignment_expression left: (_) @n right: [(arrow_function parameters: (_) @p body: (_) @b)
  (arrow_function parameter: (_) @p body: (_) @b) (function_expression parameters: (_) @p body: (_) @b)]) @d.function
(variable_declarator name: (identifier) @n value: (class body: (_) @b)) @d.class
(class_declaration name: (_) @n body: (_) @b) @d.class
(program (lexical_declaration (variable_declarator name: (identifier) @n) @d.data))
(program (export_statement (lexical_declaration (variable_declarator name: (identifier) @n) @d.data)))
(export_statement) @wrap
(comment) @comment
(string_fragment) @str
(regex_pattern) @str
(decorator) @decorator
(import_statement) @import
(export_statement source: (_)) @import
(call_expression function: (_) @call)
(new_expression constructor: (_) @call)
(variable_declarator value: (_)) @decl
(assignment_expression) @assign
(augmented_assignment_expression) @assign
(update_expression) @update
(throw_statement) @throw
(await_expression) @await
(yield_expression) @yield
(return_statement (_)) @return
[(if_statement) (ternary_expression) (switch_case) (catch_clause)] @branch
[(for_statement) (for_in_statement) (while_statement) (do_statement)] @loop
(break_statement) @break
(continue_statement) @continue
`;

const imports = (statement: string): readonly string[] => {
  const from =
    /\bfrom\s*(["'][^"'\n]*["'])|^import\s*(["'][^"'\n]*["'])|^(?:require|import)\s*\(\s*(["'][^"'\n]*["'])/.exec(
      statement,
    );
  return from ? quoted(from[1] ?? from[2] ?? from[3] ?? "") : [];
};

const visibility: Syntax["visibility"] = ({ name, signature, isMember }) => {
  if (isMember) {
    if (name.startsWith("#")) return "private";
    return modifierIn(signature, /\b(private|protected|public)\b/) ?? "public";
  }
  return /^(export|exports\.|module\.exports)\b/.test(signature) ? "public" : "private";
};

export const javascript: Syntax = {
  ...{ params: "first", keywords, imports, visibility, arrows: true },
  wordCalls: { require: "import", import: "import" },
  query: `${common}
(field_definition property: (_) @n value: [(arrow_function parameters: (_) @p body: (_) @b)
  (function_expression parameters: (_) @p body: (_) @b)]) @d.method
(class_heritage (_) @extends)
(field_definition) @decl
`,
};

export const typescript: Syntax = {
  ...javascript,
  query: `${common}
(function_declaration return_type: (_) @r)
(generator_function_declaration return_type: (_) @r)
(method_definition return_type: (_) @r)
(arrow_function return_type: (_) @r)
(function_expression return_type: (_) @r)
(abstract_class_declaration name: (_) @n body: (_) @b) @d.class
(interface_declaration name: (_) @n body: (_) @b) @d.interface
(enum_declaration name: (_) @n body: (_) @b) @d.enum
(type_alias_declaration name: (_) @n) @d.type
[(internal_module) (module)] @d.scope
(public_field_definition name: (_) @n value: [(arrow_function parameters: (_) @p body: (_) @b)
  (function_expression parameters: (_) @p body: (_) @b)]) @d.method
(extends_clause value: (_) @extends)
(implements_clause (_) @extends)
(extends_type_clause (_) @extends)
(public_field_definition) @decl
(variable_declarator type: (_) @type)
(required_parameter type: (_) @type)
(optional_parameter type: (_) @type)
(public_field_definition type: (_) @type)
`,
};
