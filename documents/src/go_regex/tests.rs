#![allow(clippy::unwrap_used)]

use proptest::prelude::*;

use super::*;

fn matches(pattern: &str, text: &str) -> bool {
    GoRegex::new(pattern).unwrap().is_match(text)
}

fn reason(pattern: &str) -> String {
    GoRegex::new(pattern).unwrap_err().reason
}

#[test]
fn what_only_go_reads_means_what_it_means_there() {
    assert!(matches(r"^\Qa.b\E+$", "a.bbb"));
    assert!(!matches(r"^\Qa.b\E$", "axb"));
    assert!(matches(r"\Qa|b", "a|b"));
    assert!(matches("^a{,5}$", "a{,5}"));
    assert!(matches("^a{01}$", "a{01}"));
    assert!(matches("^{$", "{"));
    assert!(matches("^x{$", "x{"));
    assert!(matches(r"^\141\0$", "a\0"));
    assert!(matches(r"^\x61\x{1F600}$", "a\u{1F600}"));
    assert!(matches("^a(?i)+$", "aaa"));
    assert!(matches("(?P<1>a)(?<b>b)", "ab"));
}

#[test]
fn what_rust_reads_otherwise_means_what_it_means_in_go() {
    assert!(matches("^[[a]]$", "[]"));
    assert!(matches("^[[a]]$", "a]"));
    assert!(matches("^[a&&b]$", "&"));
    assert!(matches("^[a-c--]$", "-"));
    assert!(matches("^[~~]$", "~"));
    assert!(matches(r"^\<\>$", "<>"));
    assert!(matches(r"^[]a]$", "]"));
    assert!(matches("a b#c", "a b#c"));
}

#[test]
fn classes_and_word_boundaries_are_ascii() {
    assert!(!matches(r"^\d$", "\u{0663}"));
    assert!(!matches(r"^\w$", "é"));
    assert!(matches(r"^\W$", "é"));
    assert!(!matches(r"\s", "\x0b"));
    assert!(matches(r"[[:space:]]", "\x0b"));
    assert!(matches(r"[^\S]", " "));
    assert!(matches(r"a\b", "aé"));
    assert!(matches(r"\Bé", "é"));
    assert!(matches(r"(?i)^\w$", "\u{212A}"));
    assert!(!matches(r"(?i)^\W$", "\u{212A}"));
}

#[test]
fn unicode_classes_are_categories_and_scripts() {
    assert!(matches(r"^\p{Greek}\pL\P{Lu}\p{^Lu}$", "αaaa"));
    assert!(matches(r"^[\p{Lu}\d]+$", "A1"));
    assert!(matches(r"(?i)^\p{Lu}$", "a"));
    assert!(matches(r"^\p{Any}$", "x"));
    for pattern in [
        r"\p{sc=Greek}",
        r"\p{Alphabetic}",
        r"\p{}",
        r"\p",
        r"\pX",
        r"\p{Greek",
        r"\p{Nope}",
    ] {
        assert!(reason(pattern).contains("class of characters"), "{pattern}");
    }
}

#[test]
fn anchors_and_dots_follow_the_flags() {
    assert!(!matches("^b$", "a\nb"));
    assert!(matches("(?m)^b$", "a\nb\nc"));
    assert!(!matches("a$", "a\n"));
    assert!(!matches("a.b", "a\nb"));
    assert!(matches("(?s)a.b", "a\nb"));
    assert!(matches("(?i:A)b", "ab"));
    assert!(!matches("(?i:A)b", "aB"));
    assert!(matches("x(?i)a|B", "b"));
    assert!(!matches("((?i)a)B", "ab"));
    assert!(matches("(?i-i:a)|(?U)b+?", "b"));
}

#[test]
fn what_go_refuses_is_refused() {
    for pattern in [
        "(",
        ")",
        "a)",
        "[",
        "[a",
        "[]",
        "[b-a]",
        "[a--b]",
        "[[:foo:]]",
        r"[\b]",
        "*a",
        "a|*",
        "(*)",
        "(?i)*",
        "a**",
        "a*+",
        "a??*",
        "a{2}{3}",
        "a{1001}",
        "a{2,1}",
        "a{999999999999}",
        "(a{100}){11}",
        "(?x)a",
        "(?R)",
        "(?",
        "(?i",
        "(?-)a",
        "(?i-)a",
        "(?=a)",
        "(?!a)",
        "(?<=a)",
        "(?<!a)",
        "(?P=a)",
        "(?P<a",
        "(?<a-b>c)",
        "(?<>a)",
        r"\1",
        r"\8",
        r"\C",
        r"\Z",
        r"\E",
        r"\x",
        r"\x{}",
        r"\x{110000}",
        r"\xg0",
        "\\",
        r"\é",
        r"\u0041",
        r"\h",
    ] {
        assert!(GoRegex::new(pattern).is_err(), "{pattern}");
    }
}

#[test]
fn errors_say_what_is_wrong_and_what_the_syntax_is() {
    let error = GoRegex::new("^(?=a)").unwrap_err();
    assert_eq!(
        error.to_string(),
        "`^(?=a)` is not a regular expression: `(?=` is not supported"
    );
    assert!(error.hint().contains("look-around"));
    assert_eq!(reason("a**"), "invalid nested repetition operator `*`");
    assert_eq!(reason("(a"), "missing closing `)`");
    assert_eq!(reason(r"a\y"), r"invalid escape `\y`");
}

#[test]
fn patterns_have_limits() {
    assert!(reason(&"a".repeat(MAX_PATTERN + 1)).contains("longer"));
    let deep = |depth| "(".repeat(depth) + &")".repeat(depth);
    assert!(GoRegex::new(&deep(translate::MAX_GROUPS)).is_ok());
    assert!(reason(&deep(translate::MAX_GROUPS + 1)).contains("nested"));
    assert!(reason(r"\pL{1000}").contains("memory"));
    assert!(GoRegex::new(&r"\pL".repeat(100)).is_ok());
}

/// Recorded from Go 1.27: `cargo test -p signet-tests --test interop_go_regexp` asks the real one.
#[test]
fn recorded_answers_of_go_are_ours() {
    let recorded = include_str!("../../tests/fixtures/go-regexp.json");
    let recorded: serde_json::Value = serde_json::from_str(recorded).unwrap();
    let texts: Vec<_> = recorded["texts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|text| text.as_str().unwrap())
        .collect();
    let cases = recorded["cases"].as_array().unwrap();
    assert!(cases.len() > 300);
    let mut wrong = Vec::new();
    for case in cases {
        let pattern = case["pattern"].as_str().unwrap();
        let compiled = GoRegex::new(pattern);
        if compiled.is_ok() != (case["valid"] == true) {
            wrong.push(format!("{pattern}: {compiled:?}"));
        }
        let (Ok(compiled), Some(matches)) = (compiled, case["matches"].as_str()) else {
            continue;
        };
        for (text, expected) in texts.iter().zip(matches.bytes()) {
            if compiled.is_match(text) != (expected == b'1') {
                wrong.push(format!("{pattern} on {text:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

proptest! {
    #[test]
    fn any_pattern_is_compiled_or_refused(pattern in any::<String>()) {
        let _ = GoRegex::new(&pattern);
    }

    #[test]
    fn whatever_the_grammar_lets_through_compiles(
        pattern in r"([ab.^$|*+?(){}\[\],:\-\\dDwWsSbBAzQEpPLi^1x0-9<>é]|\(\?i?s?m?:?|\[\[:alpha:\]|\\p\{Greek\}){0,20}",
    ) {
        if let Err(error) = GoRegex::new(&pattern) {
            let known = error.reason != "unknown class of characters" || pattern.contains("\\p") || pattern.contains("\\P");
            prop_assert!(known, "{:?}", translate::translate(&pattern, translate::Captures::Drop).map(|t| t.text));
        }
    }

    #[test]
    fn a_quoted_text_matches_itself_alone(text in "[^\\\\]{0,12}", other in ".{0,12}") {
        let regex = GoRegex::new(&format!(r"^\Q{text}\E$")).unwrap();
        prop_assert!(regex.is_match(&text));
        prop_assert_eq!(regex.is_match(&other), text == other);
    }
}
