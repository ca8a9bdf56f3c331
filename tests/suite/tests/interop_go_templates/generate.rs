//! Templates made of pieces.

use proptest::prelude::*;
use serde_json::{Value, json};

/// What the templates see.
pub fn data() -> Value {
    json!({
        "s": "a text", "e": "", "n": 3, "z": 0, "f": 2.5, "t": true, "m": {"a": 1, "b": {"c": "x"}},
        "l": [1, "b", 2.5], "x": {"$texts": ["q", "p"]}, "d": {"$strings": {"k": "v"}},
    })
}

/// Functions of which Go and we agree for any argument that they take, with how many they take.
const FUNCTIONS: [(&str, usize); 96] = [
    ("print", 2),
    ("println", 1),
    ("printf \"%v|%5v|%-4v\"", 3),
    ("printf \"%q\"", 1),
    ("printf \"%T %d\"", 2),
    ("printf \"%x %s\"", 2),
    ("printf \"%#v\"", 1),
    ("printf \"%6.2f\"", 1),
    ("len", 1),
    ("index", 2),
    ("not", 1),
    ("and", 2),
    ("or", 2),
    ("eq", 2),
    ("ne", 2),
    ("lt", 2),
    ("le", 2),
    ("gt", 2),
    ("ge", 2),
    ("html", 1),
    ("js", 1),
    ("urlquery", 1),
    ("upper", 1),
    ("lower", 1),
    ("title", 1),
    ("untitle", 1),
    ("trim", 1),
    ("trimAll", 2),
    ("trimPrefix", 2),
    ("trimSuffix", 2),
    ("repeat 2", 1),
    ("substr 0 2", 1),
    ("trunc 3", 1),
    ("trunc -2", 1),
    ("abbrev 5", 1),
    ("nospace", 1),
    ("initials", 1),
    ("swapcase", 1),
    ("snakecase", 1),
    ("camelcase", 1),
    ("kebabcase", 1),
    ("contains", 2),
    ("hasPrefix", 2),
    ("hasSuffix", 2),
    ("quote", 1),
    ("squote", 1),
    ("cat", 2),
    ("indent 2", 1),
    ("nindent 1", 1),
    ("replace \"a\" \"bb\"", 1),
    ("toString", 1),
    ("toStrings", 1),
    ("join \"-\"", 1),
    ("sortAlpha", 1),
    ("splitList \" \"", 1),
    ("split \"e\"", 1),
    ("wrap 4", 1),
    ("add", 2),
    ("sub", 2),
    ("mul", 2),
    ("add1", 1),
    ("max", 2),
    ("min", 2),
    ("addf", 2),
    ("maxf", 2),
    ("ceil", 1),
    ("floor", 1),
    ("round 2.345", 1),
    ("int", 1),
    ("int64", 1),
    ("float64", 1),
    ("atoi", 1),
    ("list", 2),
    ("first", 1),
    ("last", 1),
    ("rest", 1),
    ("initial", 1),
    ("append", 2),
    ("prepend", 2),
    ("reverse", 1),
    ("uniq", 1),
    ("has", 2),
    ("without", 2),
    ("compact", 1),
    ("dict \"a\"", 1),
    ("get .m", 1),
    ("hasKey .m", 1),
    ("default", 2),
    ("empty", 1),
    ("coalesce", 2),
    ("ternary 1 2", 1),
    ("typeOf", 1),
    ("kindOf", 1),
    ("toJson", 1),
    ("b64enc", 1),
    ("sha256sum", 1),
];

fn value() -> impl Strategy<Value = String> {
    let fixed = [
        ".s", ".e", ".n", ".z", ".f", ".t", ".m", ".l", ".x", ".d", ".m.a", ".m.b.c", ".d.k",
        ".none", ".", "$", "$.n", "0", "1", "-2", "2.5", "1e3", "\"a\"", "\"\"", "\"3\"", "`r w`",
        "true", "false", "nil", "'c'", "$v",
    ];
    let leaf = prop::sample::select(fixed.map(str::to_owned).to_vec());
    leaf.prop_recursive(3, 16, 3, |inner| {
        call(inner).prop_map(|call| format!("({call})"))
    })
}

/// A function with its arguments, now and then with one too many or too few.
fn call(argument: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    let function = prop::sample::select(FUNCTIONS.to_vec());
    let off = prop_oneof![20 => Just(0), 1 => Just(1), 1 => Just(-1)];
    (function, prop::collection::vec(argument, 4), off).prop_map(
        |((name, count), arguments, off)| {
            let count = count.saturating_add_signed(off).min(arguments.len());
            [&[name.to_owned()], &arguments[..count]].concat().join(" ")
        },
    )
}

fn pipeline() -> impl Strategy<Value = String> {
    let stage = prop_oneof![3 => value(), 4 => call(value())];
    let next = call(Just(String::new())).prop_map(|call| call.trim().to_owned());
    (stage, prop::collection::vec(next, 0..2)).prop_map(|(first, rest)| {
        let stages: Vec<String> = std::iter::once(first).chain(rest).collect();
        stages.join(" | ")
    })
}

/// One template, with blocks around what is printed.
pub fn template() -> impl Strategy<Value = String> {
    let print = pipeline().prop_map(|pipeline| format!("{{{{ {pipeline} }}}}"));
    let text = prop::sample::select(vec![
        "",
        " ",
        "text",
        "\n",
        "{{- /* c */ -}}",
        "{{",
        "}}",
        "{{end}}",
    ]);
    let piece = prop_oneof![12 => print, 1 => text.prop_map(str::to_owned)];
    let body = prop::collection::vec(piece, 1..3).prop_map(|pieces| pieces.concat());
    let block = body.prop_recursive(2, 8, 2, |body| {
        let trim = prop::bool::ANY;
        let kind =
            prop::sample::select(vec!["if", "with", "range", "range $i, $v :=", "with $v :="]);
        (kind, pipeline(), body.clone(), body, trim).prop_map(
            |(kind, pipeline, body, other, trim)| {
                let dash = if trim { "- " } else { "" };
                format!("{{{{{dash}{kind} {pipeline} }}}}{body}{{{{ else }}}}{other}{{{{ end }}}}")
            },
        )
    });
    block.prop_map(|block| format!("{{{{$v := .s}}}}{block}"))
}
