#![allow(clippy::unwrap_used, clippy::expect_used)]
use proptest::prelude::*;

use super::*;

/// Sections, each with its comment, and keys with value and comment, as the peer's tree has them.
type Content = Vec<(String, String, Vec<(String, String, String)>)>;

fn comment(comment: Option<&Comment>) -> String {
    comment
        .map(|comment| comment.text().to_owned())
        .unwrap_or_default()
}

fn content(source: &str) -> Content {
    let sections = Ini::parse(source).unwrap().sections;
    let sections = sections.iter().map(|section| {
        let keys = section.keys.iter().map(|key| {
            let value = key.value.text().to_owned();
            (key.name.clone(), value, comment(key.comment.as_ref()))
        });
        let name = section.name.clone();
        (name, comment(section.comment.as_ref()), keys.collect())
    });
    sections.collect()
}

/// The keys before the first section.
fn keys(source: &str) -> Vec<(String, String, String)> {
    content(source).remove(0).2
}

fn value(line: &str) -> String {
    keys(line).remove(0).1
}

#[test]
fn keys_before_a_section_are_in_the_default_one_and_names_may_come_twice() {
    let names: Vec<String> = content("a=1\n[s]\nb=2\n[DEFAULT]\n[s]\nb=3\n")
        .into_iter()
        .map(|(name, _, keys)| format!("{name}{}", keys.len()))
        .collect();
    assert_eq!(names, ["DEFAULT1", "s1", "DEFAULT0", "s1"]);
}

#[test]
fn the_last_bracket_ends_the_name_of_a_section() {
    assert_eq!(content("[ a]b ] ; c\n")[1].0, " a]b ");
    assert_eq!(content("[a] ; c]d\n")[1].0, "a] ; c");
    assert_eq!(content("[a] ; c\n")[1].1, "c");
}

#[test]
fn keys_end_at_the_first_sign_and_may_be_quoted() {
    for (line, name) in [
        ("a b = 1", "a b"),
        ("a:b = 1", "a"),
        ("\"a=b\" = 1", "a=b"),
        ("`a:b` x = 1", "a:b"),
        ("\"\"\"a\"b\"\"\" = 1", "a\"b"),
        ("- = 1", "#1"),
    ] {
        assert_eq!(keys(line)[0].0, name, "{line}");
    }
    assert_eq!(keys("-=1\nx=2\n-=3\n")[2].0, "#2");
}

#[test]
fn the_first_mark_begins_a_comment_even_in_quotes() {
    assert_eq!(keys("a = b # c")[0], ("a".into(), "b".into(), "c".into()));
    assert_eq!(
        keys("a = \"b;c\"")[0],
        ("a".into(), "\"b".into(), "c\"".into())
    );
    assert_eq!(
        keys("a = #fff")[0],
        ("a".into(), String::new(), "fff".into())
    );
}

#[test]
fn quotes_are_taken_off_where_they_are_the_only_ones() {
    for (line, expected) in [
        ("a = \"b c\"", "b c"),
        ("a = ' b '", " b "),
        ("a = \"b\" \"c\"", "\"b\" \"c\""),
        ("a = \"b", "\"b"),
        ("a = `b;c`", "b;c"),
        ("a = \"\"\"b\"c\"\"\"", "b\"c"),
        ("a = \"\"", ""),
        ("a = \"\"\"", "\"\"\""),
    ] {
        assert_eq!(value(line), expected, "{line}");
    }
}

#[test]
fn values_go_over_lines_in_long_quotes_and_behind_a_backslash() {
    assert_eq!(value("a = \"\"\"b\n  c\n\"\"\" # d\n"), "b\n  c\n");
    assert_eq!(value("a = `b\nc`"), "b\nc");
    assert_eq!(value("a = b \\\n  c\\\n d\nx=1\n"), "b cd");
    assert_eq!(keys("a = b\\\n\nx=1\n").len(), 2);
    assert_eq!(keys("a = \"\"\"\nb\n\"\"\"\nc=1\n")[1].0, "c");
}

#[test]
fn comments_above_and_behind_are_one() {
    let source = "; one\n#  two\n\n[s] # three\n  ;; four\nk = v ; five\n; end\n";
    let parsed = content(source);
    assert_eq!(parsed[1].1, "one\n#  two\n# three");
    assert_eq!(parsed[1].2[0].2, "four\n; five");
    let end = Ini::parse(source).unwrap().trailing.unwrap();
    assert_eq!(end.text(), "end");
}

#[test]
fn errors_name_the_line_and_show_no_value() {
    let key = || "a".to_owned();
    for (source, error) in [
        (
            "a=1\nb=2\na=hunter2",
            IniError::DuplicateKey {
                line: 3,
                first: 1,
                key: key(),
            },
        ),
        ("=hunter2", IniError::EmptyKey { line: 1 }),
        ("\n[]", IniError::EmptySection { line: 2 }),
        ("hunter2", IniError::NoDelimiter { line: 1 }),
        ("\"a = hunter2", IniError::UnclosedKey { line: 1 }),
        ("[hunter2", IniError::UnclosedSection { line: 1 }),
        (
            "a = `hunter2",
            IniError::UnclosedValue {
                line: 1,
                key: key(),
            },
        ),
    ] {
        let found = Ini::parse(source).unwrap_err();
        assert_eq!(found, error);
        assert!(!found.to_string().contains("hunter2"));
    }
    assert!(!format!("{:?}", Ini::parse("; hunter2\na=hunter2").unwrap()).contains("hunter2"));
}

#[test]
fn a_key_is_set_in_its_place_or_below_the_others_and_removed() {
    let source = "; c\n[s]\n  a : \"1\"  ; d\nb=2\n\n[t]\n";
    let after = |section, key, value| set(source, section, key, value).unwrap().to_string();
    assert_eq!(after("s", "a", "x y"), source.replace("\"1\"", "\"x y\""));
    assert_eq!(
        after("s", "c", "3"),
        source.replace("b=2\n", "b=2\nc = 3\n")
    );
    assert_eq!(after("t", "c", "x;y"), format!("{source}c = `x;y`\n"));
    assert_eq!(after("u", "c", "3"), format!("{source}\n[u]\nc = 3\n"));
    assert_eq!(after("DEFAULT", "z", "1"), format!("z = 1\n\n{source}"));
    let removed = remove(source, "s", "b").unwrap().unwrap();
    assert_eq!(*removed, source.replace("b=2\n", ""));
    assert!(remove(source, "s", "x").unwrap().is_none());
    for (section, key) in [
        ("s", ""),
        ("", "k"),
        ("s", "#k"),
        ("a\nb", "k"),
        ("s", "[k"),
    ] {
        assert!(set(source, section, key, "x").is_err(), "{section} {key}");
    }
}

#[test]
fn values_keep_their_quotes_where_they_read_back() {
    assert_eq!(value_text("a b", Quote::Double), "\"a b\"");
    assert_eq!(value_text("a\"b", Quote::Double), "a\"b");
    assert_eq!(value_text("a;b", Quote::Single), "`a;b`");
    assert_eq!(value_text("a\nb", Quote::Backtick), "`a\nb`");
    assert_eq!(value_text("a`b", Quote::Backtick), "`a`b`");
    // The peer writes `"a"` here, and reads `a`.
    assert_eq!(value_text("\"a\"", Quote::None), "\"\"\"\"a\"\"\"\"");
}

proptest! {
    #[test]
    fn a_value_that_is_written_reads_as_itself(text in "([ab '`;#=\\\\\n]|\"){0,8}") {
        prop_assume!(!(text.contains('\n') && text.contains('`') && text.contains("\"\"\"")));
        for quote in [Quote::None, Quote::Single, Quote::Double, Quote::Backtick, Quote::Triple] {
            let line = format!("k = {}\n", value_text(&text, quote));
            prop_assert_eq!(value(&line), text.clone());
        }
    }

    #[test]
    fn what_is_set_reads_back_or_is_refused(source in "([ab=:;#\\[\\]\"'`\\\\ \n-]|\"\"\"){0,30}", value in "([ab`;\\\\\n ]|\"\"\"){0,6}") {
        let Ok(ini) = Ini::parse(&source) else { return Ok(()) };
        for section in &ini.sections {
            for key in section.keys.iter().map(|key| key.name.as_str()).chain(["new"]) {
                if let Ok(changed) = set(&source, &section.name, key, &value) {
                    let changed = Ini::parse(&changed).unwrap();
                    let found = changed.section(&section.name).and_then(|section| section.key(key));
                    prop_assert_eq!(found.unwrap().value.text(), value.as_str());
                }
            }
        }
    }

    #[test]
    fn any_text_is_read_or_refused(source in "([ab=:;#\\[\\]\"'`\\\\ \r\n-]|\"\"\"|é|\u{85}){0,40}") {
        if let Ok(ini) = Ini::parse(&source) {
            for key in ini.sections.iter().flat_map(|section| &section.keys) {
                let _ = &source[key.lines.clone()];
                let _ = &source[key.value.range.clone()];
                if let Some(comment) = &key.comment {
                    let same = comment.replace(&source, comment.text());
                    prop_assert!(crate::splice::apply(&source, same).is_ok());
                }
            }
        }
    }
}
