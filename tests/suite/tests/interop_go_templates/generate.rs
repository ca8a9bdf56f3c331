//! Templates made of pieces that nearly always fit together.

use proptest::prelude::Rng;
use proptest::test_runner::{RngAlgorithm, TestRng};
use serde_json::{Value, json};

/// What the templates see.
pub fn data() -> Value {
    json!({
        "s": "a text", "e": "", "n": 3, "z": 0, "f": 2.5, "t": true, "m": {"a": 1, "b": {"c": "x"}, "n": null},
        "l": [1, "b", 2.5, null], "x": {"$texts": ["q", "p"]}, "d": {"$strings": {"k": "v"}}, "u": "Ünï cödé\n",
    })
}

/// What an expression gives: `s`tring, `i`nt, `f`loat, `b`ool, `l`ist, `m`ap, or `a`ny of them; `w`ords and small `k` are constants.
type Kind = char;

/// Functions on which Go and we agree: what they give, their name, what they take.
const FUNCTIONS: [(Kind, &str, &str); 126] = [
    ('s', "print", "aa"),
    ('s', "println", "a"),
    ('s', "printf \"%v|%5v|%-4v\"", "aaa"),
    ('s', "printf \"%q %s\"", "ss"),
    ('s', "printf \"%T %d\"", "ai"),
    ('s', "printf \"%x %X\"", "as"),
    ('s', "printf \"%#v %+v\"", "aa"),
    ('s', "printf \"%6.2f|%-8.3e|%g\"", "fff"),
    ('s', "printf \"%03d|%+d|%o\"", "iii"),
    ('s', "printf", "sa"),
    ('s', "printf \"%s %d %t %v\"", "aaaa"),
    ('s', "printf \"%*d|%.*s\"", "iiis"),
    ('i', "len", "s"),
    ('i', "len", "l"),
    ('i', "len", "m"),
    ('a', "index", "li"),
    ('a', "index", "ms"),
    ('b', "not", "a"),
    ('a', "and", "aa"),
    ('a', "or", "aa"),
    ('b', "eq", "ss"),
    ('b', "eq", "iii"),
    ('b', "ne", "ff"),
    ('b', "lt", "ss"),
    ('b', "le", "ii"),
    ('b', "gt", "ff"),
    ('b', "ge", "ii"),
    ('b', "eq", "aa"),
    ('b', "lt", "aa"),
    ('s', "html", "a"),
    ('s', "js", "s"),
    ('s', "urlquery", "s"),
    ('s', "upper", "s"),
    ('s', "lower", "s"),
    ('s', "title", "s"),
    ('s', "untitle", "s"),
    ('s', "trim", "s"),
    ('s', "trimAll", "ss"),
    ('s', "trimPrefix", "ss"),
    ('s', "trimSuffix", "ss"),
    ('s', "repeat 2", "s"),
    ('s', "substr 0 2", "s"),
    ('s', "substr 1 -1", "s"),
    ('s', "trunc", "is"),
    ('s', "abbrev", "is"),
    ('s', "abbrevboth 5 9", "s"),
    ('s', "nospace", "s"),
    ('s', "initials", "s"),
    ('s', "swapcase", "s"),
    ('s', "snakecase", "w"),
    ('s', "kebabcase", "w"),
    ('b', "contains", "ss"),
    ('b', "hasPrefix", "ss"),
    ('b', "hasSuffix", "ss"),
    ('s', "quote", "aa"),
    ('s', "squote", "a"),
    ('s', "cat", "aa"),
    ('s', "indent", "ks"),
    ('s', "nindent 1", "s"),
    ('s', "replace", "sss"),
    ('s', "toString", "a"),
    ('l', "toStrings", "a"),
    ('s', "join", "sa"),
    ('l', "sortAlpha", "l"),
    ('l', "splitList", "ss"),
    ('a', "split", "ss"),
    ('a', "splitn", "sis"),
    ('s', "wrap", "is"),
    ('s', "wrapWith", "iss"),
    ('s', "plural", "ssi"),
    ('s', "base", "s"),
    ('s', "clean", "s"),
    ('s', "dir", "s"),
    ('a', "add", "aa"),
    ('a', "sub", "aa"),
    ('a', "mul", "aa"),
    ('a', "add1", "a"),
    ('a', "max", "aa"),
    ('a', "min", "aa"),
    ('a', "div 7", "i"),
    ('f', "addf", "aa"),
    ('f', "mulf", "af"),
    ('f', "maxf", "aa"),
    ('f', "ceil", "a"),
    ('f', "floor", "f"),
    ('f', "round", "ai"),
    ('i', "int", "a"),
    ('a', "int64", "a"),
    ('f', "float64", "a"),
    ('i', "atoi", "s"),
    ('l', "until", "k"),
    ('s', "seq", "kk"),
    ('l', "list", "aaa"),
    ('a', "first", "l"),
    ('a', "last", "l"),
    ('l', "rest", "l"),
    ('l', "initial", "l"),
    ('l', "append", "la"),
    ('l', "prepend", "la"),
    ('l', "reverse", "l"),
    ('l', "uniq", "l"),
    ('b', "has", "al"),
    ('l', "without", "laa"),
    ('l', "compact", "l"),
    ('l', "concat", "ll"),
    ('a', "chunk 2", "l"),
    ('m', "dict \"a\"", "a"),
    ('m', "dict", "saa"),
    ('a', "get", "ms"),
    ('b', "hasKey", "ms"),
    ('m', "pick", "mss"),
    ('m', "omit", "ms"),
    ('m', "merge (dict \"a\" 0)", "m"),
    ('m', "mergeOverwrite (dict \"a\" 5)", "m"),
    ('a', "default", "aa"),
    ('b', "empty", "a"),
    ('a', "coalesce", "aaa"),
    ('a', "ternary", "aab"),
    ('s', "typeOf", "a"),
    ('s', "kindOf", "a"),
    ('b', "deepEqual", "aa"),
    ('s', "toJson", "a"),
    ('s', "toPrettyJson", "a"),
    ('s', "b64enc", "s"),
    ('s', "sha256sum", "s"),
    ('s', "regexReplaceAll \"[a-c]+\"", "ss"),
];

/// Makes templates. Choices are made one by one: as strategies, the functions inside of functions would be
/// built before one of them is chosen.
pub struct Generator(TestRng);

impl Generator {
    pub fn new() -> Self {
        Self(TestRng::deterministic_rng(RngAlgorithm::ChaCha))
    }

    fn below(&mut self, bound: usize) -> usize {
        self.0.next_u32() as usize % bound
    }

    fn pick<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len())]
    }

    fn leaf(&mut self, kind: Kind) -> String {
        let choices: &[&str] = match kind {
            's' => &[
                ".s",
                ".e",
                ".u",
                ".d.k",
                ".m.b.c",
                "\"a\"",
                "\"\"",
                "\"3\"",
                "`r W`",
                "\"x,y z\"",
                "\"%d\"",
                "$v",
            ],
            'w' => &["\"HTTPServer2Go\"", "\"a_B-c d1\"", ".u", ".s"],
            'i' => &[".n", ".z", ".m.a", "$.n", "0", "1", "2", "-2", "7", "'c'"],
            'f' => &[".f", "2.5", "1e3", "-0.1", "1e21", "0.00001", "3.0"],
            'k' => &["0", "3", "-2", "5"],
            'b' => &[".t", "true", "false"],
            'l' => &[".l", "$.l", "(list)"],
            'm' => &[".m", ".m.b", "(dict)"],
            _ => &[".none", ".m.n", ".d", ".x", ".", "$", "nil", "$v"],
        };
        self.pick(choices).to_owned()
    }

    /// An expression that gives what is asked for, now and then something else.
    fn expression(&mut self, kind: Kind, depth: usize) -> String {
        let kind = match kind {
            'a' => ['s', 'i', 'f', 'b', 'l', 'm', 'a'][self.below(7)],
            'w' | 'k' => kind,
            kind if self.below(30) > 0 => kind,
            _ => 'a',
        };
        if depth == 0 || matches!(kind, 'w' | 'k') || self.below(3) > 0 {
            return self.leaf(kind);
        }
        format!("({})", self.call(kind, depth - 1))
    }

    /// A call of a function that gives what is asked for, now and then with one argument too few.
    fn call(&mut self, kind: Kind, depth: usize) -> String {
        let giving: Vec<_> = FUNCTIONS
            .iter()
            .filter(|(gives, ..)| *gives == kind || kind == 'a')
            .collect();
        let (_, name, takes) = giving[self.below(giving.len())];
        let mut words = vec![(*name).to_owned()];
        words.extend(takes.chars().map(|kind| self.expression(kind, depth)));
        if self.below(100) == 0 {
            words.pop();
        }
        words.join(" ")
    }

    /// A value, or one that goes on through another function.
    fn pipeline(&mut self) -> String {
        let stages = [
            "upper",
            "quote",
            "len",
            "trunc 3",
            "printf \"%s\"",
            "default \"d\"",
            "b64enc",
        ];
        match self.below(5) {
            0 => format!("{} | {}", self.call('s', 1), self.pick(&stages)),
            _ => self.call('a', 2),
        }
    }

    fn body(&mut self, depth: usize) -> String {
        let fits = ["", " ", " text\n", "{{- /* c */ -}}", "{{- \"x\" -}} "];
        let wrong = [
            "{{",
            "}}",
            "{{end}}",
            "{{break}}",
            "{{else}}",
            "{{ .a-b }}",
            "{{ $w }}",
        ];
        let mut body = String::new();
        for _ in 0..=self.below(2) {
            let piece = match self.below(80) {
                0 => self.pick(&wrong).to_owned(),
                1..15 => self.pick(&fits).to_owned(),
                15..35 if depth > 0 => self.block(depth - 1),
                _ => format!("{{{{ {} }}}}", self.pipeline()),
            };
            body.push_str(&piece);
        }
        body
    }

    fn block(&mut self, depth: usize) -> String {
        let kind = match self.below(4) {
            0 => format!("if {}", self.pipeline()),
            1 => format!("with $v := {}", self.pipeline()),
            2 => format!("range {}", self.expression('l', 1)),
            _ => format!("range $i, $v := {}", self.expression('m', 1)),
        };
        let dash = self.pick(&["", "- "]);
        let (body, other) = (self.body(depth), self.body(depth));
        format!("{{{{{dash}{kind} }}}}{body}{{{{ else }}}}{other}{{{{ end }}}}")
    }

    pub fn template(&mut self) -> String {
        format!("{{{{$v := .s}}}}{}", self.body(2))
    }
}
