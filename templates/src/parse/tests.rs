#![allow(clippy::unwrap_used)]
use super::*;

fn problem(text: &str) -> String {
    let source = Arc::new(Source {
        name: "t".into(),
        text: text.into(),
    });
    parse(&source, "{{", "}}").unwrap_err().to_string()
}

fn parses(text: &str) -> Definitions {
    let source = Arc::new(Source {
        name: "t".into(),
        text: text.into(),
    });
    parse(&source, "{{", "}}").unwrap()
}

#[test]
fn an_error_says_where_and_what() {
    assert_eq!(
        problem("a\n {{end}}"),
        "template: t:2:2: unexpected {{end}}"
    );
    assert_eq!(problem("{{if .a}}b"), "template: t:1:11: unexpected EOF");
    assert_eq!(
        problem("{{ .a-b }}"),
        "template: t:1:6: bad character '-' in action"
    );
    assert_eq!(
        problem("{{ nope .a }}"),
        "template: t:1:4: function \"nope\" not defined"
    );
    assert_eq!(
        problem("{{ $x }}"),
        "template: t:1:4: undefined variable \"$x\""
    );
    assert_eq!(
        problem("{{ }}"),
        "template: t:1:4: missing value for command"
    );
    assert_eq!(problem("{{ (.a }}"), "template: t:1:8: unclosed left paren");
    assert_eq!(
        problem("{{ .a | 3 }}"),
        "template: t:1:9: non executable command in pipeline stage 2"
    );
    assert_eq!(
        problem("{{break}}"),
        "template: t:1:3: {{break}} outside {{range}}"
    );
}

#[test]
fn an_error_suggests_index_for_a_key_with_a_dash() {
    let source = Arc::new(Source {
        name: "t".into(),
        text: "{{ .a-b }}".into(),
    });
    let error = parse(&source, "{{", "}}").unwrap_err();
    assert!(error.hint().unwrap().contains("index . \"a-b\""));
}

#[test]
fn nesting_has_an_end() {
    let deep = format!("{{{{ {}1{} }}}}", "(".repeat(5000), ")".repeat(5000));
    assert!(problem(&deep).ends_with("nested too deeply"));
    let deep = format!("{}{}", "{{if 1}}".repeat(5000), "{{end}}".repeat(5000));
    assert!(problem(&deep).ends_with("nested too deeply"));
    let deep = format!("{{{{if 1}}}}{}{{{{end}}}}", "{{else if 1}}".repeat(5000));
    assert!(problem(&deep).ends_with("nested too deeply"));
}

#[test]
fn a_definition_gives_way_only_when_it_is_blank() {
    assert_eq!(
        parses("{{define \"a\"}} {{end}}{{define \"a\"}}x{{end}}").len(),
        2
    );
    assert!(
        problem("{{define \"a\"}}y{{end}}{{define \"a\"}}x{{end}}").contains("multiple definition")
    );
}
