import { quoted, type Syntax, wordSet } from "./syntax.ts";

export const go: Syntax = {
  params: "first",
  keywords: wordSet(
    `append any bool break byte cap case chan complex64 complex128 const continue copy default defer delete else error
     fallthrough false float32 float64 for func go goto if import int int8 int16 int32 int64 interface iota len make map new
     nil package range return rune select string struct switch true type uint uint8 uint16 uint32 uint64 uintptr var`,
  ),
  query: `
(function_declaration name: (_) @n parameters: (_) @p body: (_) @b) @d.function
(method_declaration name: (_) @n parameters: (_) @p body: (_) @b) @d.method
(function_declaration result: (_) @r)
(method_declaration result: (_) @r)
(type_spec name: (_) @n type: (struct_type (_) @b)) @d.class
(type_spec name: (_) @n type: (interface_type)) @d.interface
(type_spec name: (_) @n type: [(type_identifier) (qualified_type) (function_type) (map_type) (slice_type) (array_type) (pointer_type) (channel_type) (generic_type)]) @d.type
(type_alias name: (_) @n) @d.type
(source_file (var_declaration (var_spec name: (_) @n) @d.data))
(source_file (const_declaration) @d.data)
(comment) @comment
[(interpreted_string_literal_content) (raw_string_literal) (rune_literal)] @str
(import_declaration) @import
(call_expression function: (_) @call)
(short_var_declaration) @decl
(var_spec value: (_)) @decl
(assignment_statement) @assign
[(inc_statement) (dec_statement)] @update
(var_spec type: (_) @type)
(parameter_declaration type: (_) @type)
(composite_literal type: (type_identifier) @type)
(return_statement (_)) @return
[(if_statement) (expression_case) (type_case) (communication_case)] @branch
(for_statement) @loop
(break_statement) @break
(continue_statement) @continue
`,
  imports: quoted,
  visibility: ({ name }) => (/^\p{Lu}/u.test(name) ? "public" : "private"),
};

export const rust: Syntax = {
  params: "first",
  keywords: wordSet(
    `Self as async await bool box break char const continue crate dyn else enum extern f32 f64 false fn for i8 i16 i32 i64
     i128 if impl in isize let loop match mod move mut pub ref return self static str struct super trait true type u8 u16 u32
     u64 u128 unsafe use usize where while`,
  ),
  query: `
(function_item name: (_) @n parameters: (_) @p body: (_) @b) @d.function
(function_item return_type: (_) @r)
(struct_item name: (_) @n) @d.class
(union_item name: (_) @n) @d.class
(impl_item type: (_) @n body: (_) @b) @d.class
(trait_item name: (_) @n body: (_) @b) @d.interface
(enum_item name: (_) @n body: (_) @b) @d.enum
(type_item name: (_) @n) @d.type
(mod_item name: (_) @n body: (_) @b) @d.scope
(macro_definition name: (_) @n) @d.function
[(const_item name: (_) @n) (static_item name: (_) @n)] @d.data
(impl_item trait: (_) @extends)
(trait_bounds (type_identifier) @extends)
(attribute_item) @decorator
[(line_comment) (block_comment)] @comment
[(string_content) (raw_string_literal) (char_literal)] @str
(use_declaration) @import
(call_expression function: (_) @call)
(macro_invocation macro: (_) @call)
(let_declaration value: (_)) @decl
(assignment_expression) @assign
(compound_assignment_expr) @assign
(let_declaration type: (_) @type)
(parameter type: (_) @type)
(await_expression) @await
(return_expression (_)) @return
[(if_expression) (match_arm)] @branch
[(for_expression) (while_expression) (loop_expression)] @loop
(break_expression) @break
(continue_expression) @continue
`,
  imports: (statement) => expandUse(statement.replace(/^[\s\S]*?\buse\s+|;\s*$/g, "")),
  visibility: ({ signature }) => {
    const scope = /\bpub\b(?:\s*\(\s*(?:in\s+)?(\w+))?/.exec(signature);
    return scope ? (scope[1] ?? "public") : "private";
  },
  returnsByType: true,
};

/** Of `a::{b, c::d as e}`: `a`, `a::b`, `a::c::d`. Nested lists are cut at their first level. */
function expandUse(text: string): readonly string[] {
  const [head = "", list] = text.split(/::\{([\s\S]*)\}\s*$/);
  const base = (head.split(/\s+as\s+/)[0] ?? "").trim();
  if (list === undefined) return [base];
  const names = list
    .replace(/\{[^{}]*\}/g, "*")
    .split(",")
    .map((part) => (part.split(/\s+as\s+/)[0] ?? "").trim().replace(/::\*$/, ""));
  return [base, ...names.filter((name) => /^[\w:]+$/.test(name) && name !== "self").map((name) => `${base}::${name}`)];
}
