#![allow(clippy::unwrap_used, clippy::expect_used)]
use proptest::prelude::*;

use super::*;

fn kinds(source: &str) -> Vec<(&str, Option<&str>)> {
    let parsed = Dotenv::parse(source).unwrap();
    let kinds = parsed.lines().iter().map(|line| match &line.kind {
        LineKind::Blank => ("", None),
        LineKind::Comment { text } => ("#", Some(&source[text.clone()])),
        LineKind::Entry { key, value } => (&source[key.clone()], Some(&source[value.clone()])),
    });
    kinds.collect()
}

#[test]
fn key_and_value_are_what_stands_around_the_first_equal_sign() {
    assert_eq!(
        kinds("# c\n\nA=1=2 # x\nexport B = \"q\" \n=v\nC="),
        [
            ("#", Some(" c")),
            ("", None),
            ("A", Some("1=2 # x")),
            ("export B ", Some(" \"q\" ")),
            ("", Some("v")),
            ("C", Some("")),
        ]
    );
}

#[test]
fn issue_2174_the_carriage_return_of_a_crlf_file_is_part_of_the_value() {
    assert_eq!(
        kinds("A=1\r\n\r\n#c\r\n"),
        [("A", Some("1\r")), ("", None), ("#", Some("c\r"))]
    );
}

#[test]
fn a_line_without_an_equal_sign_is_named_and_not_shown() {
    let error = Dotenv::parse("A=1\nhunter2\n").unwrap_err();
    assert_eq!(error, DotenvError::NoEqualSign { line: 2 });
    assert_eq!(error.to_string(), "line 2 has no `=`");
}

#[test]
fn a_line_break_in_a_value_is_written_as_two_characters() {
    assert_eq!(value("a\\nb"), "a\nb");
    assert_eq!(text("a\nb"), "a\\nb");
    assert_eq!(value("C:\\x"), "C:\\x");
}

#[test]
fn a_key_is_set_in_its_place_or_at_the_end_and_removed() {
    let source = "# c\n\nA=1\nB=2";
    assert_eq!(*set(source, "A", "x\ny").unwrap(), "# c\n\nA=x\\ny\nB=2");
    assert_eq!(*set(source, "C", "3").unwrap(), "# c\n\nA=1\nB=2\nC=3\n");
    assert_eq!(*remove(source, "A").unwrap().unwrap(), "# c\n\nB=2");
    assert!(remove(source, "C").unwrap().is_none());
    for key in ["#a", "a=b", "a\nb"] {
        assert!(set(source, key, "x").is_err());
    }
}

fn quoted(source: &str) -> Result<String, DialectError> {
    Dialect::Quoted.to_sops(source).map(|text| text.to_string())
}

#[test]
fn the_dialect_of_sops_changes_nothing() {
    let source = "A=\"x\" # c\r\n";
    assert_eq!(*Dialect::default().to_sops(source).unwrap(), source);
    assert_eq!(*Dialect::Sops.of_sops(source), source);
}

#[test]
fn issue_1127_quotes_are_not_part_of_a_quoted_value() {
    let source = "A=\"x y\"\nB='$z \"'\nC= plain \n";
    assert_eq!(quoted(source).unwrap(), "A=x y\nB=$z \"\nC=plain\n");
}

#[test]
fn issue_965_a_quoted_value_may_go_over_several_lines() {
    let source = "KEY=\"-----BEGIN-----\r\nabc\n-----END-----\"\nB=\"1\\n2\"\nC='x\ny'\n";
    assert_eq!(
        quoted(source).unwrap(),
        "KEY=-----BEGIN-----\\nabc\\n-----END-----\nB=1\\n2\nC=x\\ny\n"
    );
}

#[test]
fn issue_779_a_comment_behind_a_value_is_no_part_of_it() {
    let source = "A=1 # one\nB=\"2 # two\" # three\nC=a#b\nD=#\n";
    assert_eq!(
        quoted(source).unwrap(),
        "# one\nA=1\n# three\nB=2 # two\nC=a#b\n#\nD=\n"
    );
}

#[test]
fn issue_1951_crlf_and_export_are_read_as_shells_do() {
    let source = "export A=1\r\n\r\n  # c\r\nexported=2\r\n";
    assert_eq!(quoted(source).unwrap(), "A=1\n\n# c\nexported=2\n");
}

#[test]
fn what_cannot_be_said_is_an_error_that_shows_no_value() {
    let key = || "K".to_owned();
    for (source, error) in [
        (
            "K='a\\nb'",
            DialectError::BackslashN {
                line: 1,
                key: key(),
            },
        ),
        (
            "\nK=\"hunter2",
            DialectError::Unclosed {
                line: 2,
                key: key(),
            },
        ),
        (
            "K='a'hunter2",
            DialectError::BehindQuote {
                line: 1,
                key: key(),
            },
        ),
        ("A='\n'\nhunter2", DialectError::NoEqualSign { line: 3 }),
    ] {
        let found = quoted(source).unwrap_err();
        assert_eq!(found, error);
        assert!(!found.to_string().contains("hunter2"));
    }
}

proptest! {
    #[test]
    fn the_lines_are_the_whole_text(source in "[A-Za-z =#\\\\\"'\r\n]{0,40}") {
        if let Ok(parsed) = Dotenv::parse(&source) {
            let lines: Vec<&str> = parsed.lines().iter().map(|line| &source[line.range.clone()]).collect();
            let joined = lines.join("\n");
            prop_assert!(joined == source || joined + "\n" == source);
        }
    }

    #[test]
    fn quotes_that_are_put_on_are_taken_off_again(values in prop::collection::vec("[ab '\"#$\\\\`\n\r\t=]{0,8}", 1..4)) {
        // A backslash before an n is a line break on the first reading.
        let lines = values.iter().enumerate().map(|(at, value)| format!("K{at}={}\n", text(value)));
        let source: String = lines.collect();
        let shell = Dialect::Quoted.of_sops(&source);
        prop_assert_eq!(&*Dialect::Quoted.to_sops(&shell).unwrap(), &source);
    }

    #[test]
    fn any_text_is_read_or_refused(source in ".{0,60}") {
        let _ = quoted(&source);
        let _ = Dotenv::parse(&source);
    }
}
