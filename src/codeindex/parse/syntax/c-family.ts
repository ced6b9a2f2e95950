import { modifierIn, quoted, type Syntax, wordSet } from "./syntax.ts";

const access = /\b(private|protected|public|internal)\b/;

export const java: Syntax = {
  params: "last",
  keywords: wordSet(
    `abstract assert boolean break byte case catch char class const continue default do double else enum extends false final
     finally float for goto if implements import instanceof int interface long native new null package private protected public
     record return sealed short static strictfp super switch synchronized this throw throws transient true try var void
     volatile while yield`,
  ),
  query: `
(method_declaration name: (_) @n parameters: (_) @p body: (_) @b) @d.method
(method_declaration type: (_) @r body: (_))
(constructor_declaration name: (_) @n parameters: (_) @p body: (_) @b) @d.method
(class_declaration name: (_) @n body: (_) @b) @d.class
(record_declaration name: (_) @n parameters: (_) @p body: (_) @b) @d.class
(interface_declaration name: (_) @n body: (_) @b) @d.interface
(annotation_type_declaration name: (_) @n body: (_) @b) @d.interface
(enum_declaration name: (_) @n body: (_) @b) @d.enum
(superclass (_) @extends)
(super_interfaces (type_list (_) @extends))
(extends_interfaces (type_list (_) @extends))
[(annotation) (marker_annotation)] @decorator
[(line_comment) (block_comment)] @comment
[(string_fragment) (character_literal)] @str
(import_declaration) @import
(method_invocation name: (_) @call)
(object_creation_expression type: (_) @call)
(variable_declarator value: (_)) @decl
(assignment_expression) @assign
(update_expression) @update
(local_variable_declaration type: (_) @type)
(field_declaration type: (_) @type)
(formal_parameter type: (_) @type)
(throw_statement) @throw
(throws (_) @throws)
(return_statement (_)) @return
[(if_statement) (ternary_expression) (switch_label) (catch_clause)] @branch
[(for_statement) (enhanced_for_statement) (while_statement) (do_statement)] @loop
(break_statement) @break
(continue_statement) @continue
`,
  imports: (statement) => [statement.replace(/^import\s+(static\s+)?|\s*;\s*$/g, "")],
  visibility: ({ signature }) => modifierIn(signature, access) ?? "package",
};

export const csharp: Syntax = {
  params: "last",
  keywords: wordSet(
    `abstract as async await base bool break byte case catch char checked class const continue decimal default delegate do
     double else enum event explicit extern false finally fixed float for foreach get goto if implicit in init int interface
     internal is lock long namespace new null object operator out override params partial private protected public readonly
     record ref return sbyte sealed set short sizeof stackalloc static string struct switch this throw true try typeof uint
     ulong unchecked unsafe ushort using value var virtual void volatile when where while yield`,
  ),
  query: `
(method_declaration name: (_) @n parameters: (_) @p body: (_) @b) @d.method
(method_declaration returns: (_) @r)
(constructor_declaration name: (_) @n parameters: (_) @p body: (_) @b) @d.method
(local_function_statement name: (_) @n parameters: (_) @p body: (_) @b) @d.function
(class_declaration name: (_) @n body: (_) @b) @d.class
(struct_declaration name: (_) @n body: (_) @b) @d.class
(record_declaration name: (_) @n) @d.class
(interface_declaration name: (_) @n body: (_) @b) @d.interface
(enum_declaration name: (_) @n body: (_) @b) @d.enum
(delegate_declaration name: (_) @n) @d.type
(namespace_declaration name: (_) @n body: (_) @b) @d.scope
(base_list (_) @extends)
(attribute_list) @decorator
(comment) @comment
[(string_literal_content) (string_content) (verbatim_string_literal) (raw_string_literal) (character_literal)] @str
(using_directive) @import
(invocation_expression function: (_) @call)
(object_creation_expression type: (_) @call)
(variable_declarator (_) (_)) @decl
(assignment_expression) @assign
[(postfix_unary_expression) (prefix_unary_expression)] @update
(variable_declaration type: (_) @type)
(parameter type: (_) @type)
(property_declaration type: (_) @type)
[(throw_statement) (throw_expression)] @throw
(await_expression) @await
(yield_statement) @yield
(return_statement (_)) @return
[(if_statement) (conditional_expression) (switch_section) (switch_expression_arm) (catch_clause)] @branch
[(for_statement) (foreach_statement) (while_statement) (do_statement)] @loop
(break_statement) @break
(continue_statement) @continue
`,
  imports: (statement) => [statement.replace(/^(global\s+)?using\s+(static\s+)?(\w+\s*=\s*)?|\s*;\s*$/g, "")],
  visibility: ({ signature, isMember }) => modifierIn(signature, access) ?? (isMember ? "private" : "internal"),
};

export const cpp: Syntax = {
  params: "last",
  keywords: wordSet(
    `alignas alignof asm auto bool break case catch char class const constexpr const_cast continue decltype default delete do
     double dynamic_cast else enum explicit export extern false final float for friend goto if inline int long mutable namespace
     new noexcept nullptr operator override private protected public register reinterpret_cast return short signed sizeof
     static static_assert static_cast struct switch template this throw true try typedef typeid typename union unsigned using
     virtual void volatile wchar_t while NULL include define ifdef ifndef endif`,
  ),
  query: `
(function_definition body: (_) @b) @d.function
(function_definition declarator: (function_declarator declarator: (_) @n parameters: (_) @p))
(function_definition declarator: (pointer_declarator declarator: (function_declarator declarator: (_) @n parameters: (_) @p)))
(function_definition declarator: (reference_declarator (function_declarator declarator: (_) @n parameters: (_) @p)))
(function_definition type: (_) @r)
(class_specifier name: (_) @n body: (_) @b) @d.class
(struct_specifier name: (_) @n body: (_) @b) @d.class
(union_specifier name: (_) @n body: (_) @b) @d.class
(enum_specifier name: (_) @n body: (_) @b) @d.enum
(alias_declaration name: (_) @n) @d.type
(type_definition declarator: (type_identifier) @n) @d.type
(preproc_function_def name: (_) @n) @d.function
[(namespace_definition body: (_) @b) (linkage_specification body: (_) @b)] @d.scope
(template_declaration) @wrap
(base_class_clause [(type_identifier) (qualified_identifier) (template_type)] @extends)
(comment) @comment
[(string_content) (char_literal) (raw_string_literal)] @str
(preproc_include) @import
(call_expression function: (_) @call)
(new_expression type: (_) @call)
(init_declarator) @decl
(assignment_expression) @assign
(update_expression) @update
(declaration type: (_) @type)
(field_declaration type: (_) @type)
(parameter_declaration type: (_) @type)
(throw_statement) @throw
(return_statement (_)) @return
[(if_statement) (conditional_expression) (case_statement) (catch_clause)] @branch
[(for_statement) (for_range_loop) (while_statement) (do_statement)] @loop
(break_statement) @break
(continue_statement) @continue
`,
  imports: (statement) => quoted(statement).slice(0, 1),
};
