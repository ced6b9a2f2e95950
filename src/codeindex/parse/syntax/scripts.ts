import { modifierIn, quoted, type Syntax, wordSet } from "./syntax.ts";

export const php: Syntax = {
  params: "dollar",
  keywords: wordSet(
    `abstract and array as bool break callable case catch class clone const continue declare default do echo else elseif empty
     enddeclare endfor endforeach endif endswitch endwhile enum extends false final finally float fn for foreach function global
     goto if implements include include_once instanceof insteadof int interface isset iterable list match mixed namespace new
     null object or parent php print private protected public readonly require require_once return self static string switch
     this throw trait true try unset use var void while xor yield`,
  ),
  query: `
(function_definition name: (_) @n parameters: (_) @p body: (_) @b) @d.function
(function_definition return_type: (_) @r)
(method_declaration name: (_) @n parameters: (_) @p body: (_) @b) @d.method
(method_declaration return_type: (_) @r)
(class_declaration name: (_) @n body: (_) @b) @d.class
(trait_declaration name: (_) @n body: (_) @b) @d.class
(interface_declaration name: (_) @n body: (_) @b) @d.interface
(enum_declaration name: (_) @n body: (_) @b) @d.enum
(namespace_definition body: (_) @b) @d.scope
(base_clause (_) @extends)
(class_interface_clause (_) @extends)
(attribute_list) @decorator
(comment) @comment
[(string_content) (nowdoc_body)] @str
[(namespace_use_declaration) (require_expression) (require_once_expression) (include_expression) (include_once_expression)] @import
(function_call_expression function: (_) @call)
(member_call_expression name: (_) @call)
(nullsafe_member_call_expression name: (_) @call)
(scoped_call_expression name: (_) @call)
(object_creation_expression [(name) (qualified_name)] @call)
(assignment_expression) @assign
(augmented_assignment_expression) @assign
(update_expression) @update
(simple_parameter type: (_) @type)
(property_declaration type: (_) @type)
(throw_expression) @throw
(yield_expression) @yield
(return_statement (_)) @return
[(if_statement) (else_if_clause) (conditional_expression) (case_statement) (match_conditional_expression) (catch_clause)] @branch
[(for_statement) (foreach_statement) (while_statement) (do_statement)] @loop
(break_statement) @break
(continue_statement) @continue
`,
  imports: (statement) => {
    if (!/^use\b/.test(statement)) return quoted(statement).slice(0, 1);
    const [, head = "", list] = /^use\s+(?:function\s+|const\s+)?([^{;]*)(?:\{([^}]*)\})?/.exec(statement) ?? [];
    const parts = (list ?? head).split(",").map((part) => (part.split(/\s+as\s+/)[0] ?? "").trim());
    return parts.filter((part) => part !== "").map((part) => (list === undefined ? part : `${head.trim()}${part}`));
  },
  visibility: ({ signature, isMember }) =>
    isMember ? (modifierIn(signature, /\b(private|protected|public)\b/) ?? "public") : "public",
};

export const ruby: Syntax = {
  params: "first",
  keywords: wordSet(
    `BEGIN END alias and begin break case class def defined do else elsif end ensure false for if in module next nil not or
     redo rescue retry return self super then true undef unless until when while yield require require_relative`,
  ),
  query: `
(method name: (_) @n) @d.function
(singleton_method name: (_) @n) @d.function
(method parameters: (_) @p)
(singleton_method parameters: (_) @p)
(class name: (_) @n) @d.class
(module name: (_) @n) @d.class
(superclass (_) @extends)
(program (assignment left: (constant) @n) @d.data)
(comment) @comment
[(string_content) (heredoc_content)] @str
(call method: (_) @call)
(assignment) @assign
(operator_assignment) @assign
(yield) @yield
(return (_)) @return
[(if) (elsif) (unless) (if_modifier) (unless_modifier) (conditional) (when) (in_clause) (rescue)] @branch
[(for) (while) (until) (while_modifier) (until_modifier)] @loop
(break) @break
(next) @continue
`,
  imports: (statement) => quoted(statement).slice(0, 1),
  wordCalls: { raise: "throw", fail: "throw", require: "import", require_relative: "import", load: "import" },
};

export const bash: Syntax = {
  params: "dollar",
  keywords: wordSet("case do done elif else esac export fi for function if in local readonly select then until while"),
  query: `
(function_definition name: (_) @n body: (_) @b) @d.function
(comment) @comment
[(string_content) (raw_string) (heredoc_body)] @str
(command name: (_) @call)
(variable_assignment) @assign
[(if_statement) (elif_clause) (case_item)] @branch
[(for_statement) (c_style_for_statement) (while_statement)] @loop
`,
  imports: (statement) => statement.split(/\s+/).slice(1, 2),
  wordCalls: { break: "break", continue: "continue", return: "return", source: "import", ".": "import" },
};

export const css: Syntax = {
  params: "first",
  keywords: new Set(),
  query: `
(rule_set (selectors) @n (block) @b) @d.data
(keyframes_statement (keyframes_name) @n) @d.data
[(media_statement) (supports_statement)] @d.scope
(comment) @comment
(import_statement) @import
`,
  imports: (statement) => {
    const bare = /url\(\s*([^"')\s]+)\s*\)/.exec(statement)?.[1];
    return bare === undefined ? quoted(statement).slice(0, 1) : [bare];
  },
};
