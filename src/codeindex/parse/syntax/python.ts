import { type Syntax, wordSet } from "./syntax.ts";

export const python: Syntax = {
  ...{ params: "first", callsMake: true },
  keywords: wordSet(
    `False None True and as assert async await break case class cls continue def del elif else except finally for from global
     if import in is lambda match nonlocal not or pass raise return self try while with yield`,
  ),
  query: `
(function_definition name: (_) @n parameters: (_) @p body: (_) @b) @d.function
(function_definition return_type: (_) @r)
(class_definition name: (_) @n body: (_) @b) @d.class
(class_definition superclasses: (argument_list [(identifier) (attribute) (subscript)] @extends))
(module (expression_statement (assignment left: (identifier) @n) @d.data))
(function_definition body: (block . (expression_statement (string) @docstring)))
(class_definition body: (block . (expression_statement (string) @docstring)))
(module . (expression_statement (string) @docstring))
(decorated_definition) @wrap
(decorator) @decorator
(comment) @comment
(string_content) @str
[(import_statement) (import_from_statement)] @import
(call function: (_) @call)
(assignment) @assign
(augmented_assignment) @assign
(named_expression) @assign
(assignment type: (_) @type)
(typed_parameter type: (_) @type)
(typed_default_parameter type: (_) @type)
(raise_statement) @throw
(await) @await
(yield) @yield
(return_statement (_)) @return
[(if_statement) (elif_clause) (conditional_expression) (except_clause) (case_clause)] @branch
[(for_statement) (while_statement)] @loop
(break_statement) @break
(continue_statement) @continue
`,
  imports: (statement) => {
    const from = /^from\s+([.\w]+)\s+import\s+([\s\S]*)$/.exec(statement);
    if (!from) return namesOf(statement.replace(/^import\s+/, ""));
    const base = from[1] ?? "";
    const joint = base.endsWith(".") ? "" : ".";
    return [base, ...namesOf(from[2] ?? "").map((name) => `${base}${joint}${name}`)];
  },
  visibility: ({ name }) => {
    if (/^__.*[^_]_?$/.test(name)) return "private";
    return /^_[^_]/.test(name) ? "protected" : "public";
  },
};

/** Of `a.b as c, d`: `a.b`, `d`. */
const namesOf = (list: string): readonly string[] =>
  list
    .replace(/#[^\n]*|[()\\]/g, "")
    .split(",")
    .map((part) => part.trim().split(/\s+as\s+/)[0] ?? "")
    .filter((name) => /^[\w.]+$/.test(name));
