//! No template uses up more than it may, whatever it is made of.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use proptest::prelude::*;
use signet_templates::{Ambient, Limit, Limits, Options, RenderProblem, Template, Value};

fn render(template: &str, limits: &Limits) -> Result<Vec<u8>, RenderProblem> {
    let template = Template::parse("t", template, &Options::default()).unwrap();
    let mut state: u64 = 1;
    let mut random = |buffer: &mut [u8]| {
        for byte in buffer {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            *byte = state.to_be_bytes()[0];
        }
    };
    let mut ambient = Ambient {
        now: jiff::Timestamp::UNIX_EPOCH,
        zone: jiff::tz::TimeZone::UTC,
        random: &mut random,
    };
    let data = Value::strings([("key", "value")]);
    let rendered = template.render(&data, limits, &mut ambient);
    rendered
        .map(|rendered| rendered.as_bytes().to_vec())
        .map_err(|error| error.problem)
}

/// A tenth of the usual, so that what runs into them does so soon.
const SMALL: Limits = Limits {
    output_bytes: 400_000,
    memory_bytes: 6_000_000,
    steps: 200_000,
    depth: 100,
    derivations: 2,
};

#[track_caller]
fn stops(template: &str, limit: Limit) {
    assert_eq!(
        render(template, &SMALL),
        Err(RenderProblem::Limit(limit)),
        "{}",
        template.chars().take(200).collect::<String>()
    );
}

#[test]
fn loops_end() {
    stops(
        "{{ range 3000 }}{{ range 3000 }}{{ end }}{{ end }}",
        Limit::Steps,
    );
    stops("{{ range 1000000000 }}{{ end }}", Limit::Steps);
    let big = "{{ $x := repeat 100000 \"a\" }}";
    stops(
        &format!("{big}{{{{ range 100000 }}}}{{{{ $_ := contains \"b\" $x }}}}{{{{ end }}}}"),
        Limit::Steps,
    );
    stops(
        &format!(
            "{big}{{{{ range 100000 }}}}{{{{ $_ := regexMatch \"(a*)*b\" $x }}}}{{{{ end }}}}"
        ),
        Limit::Steps,
    );
}

#[test]
fn recursion_ends() {
    stops(
        "{{ define \"r\" }}{{ template \"r\" }}{{ end }}{{ template \"r\" }}",
        Limit::Depth,
    );
    stops(
        "{{ $x := list }}{{ range until 1000 }}{{ $x = list $x }}{{ end }}{{ $x }}",
        Limit::Depth,
    );
    stops(
        "{{ $x := list }}{{ range until 1000 }}{{ $x = list $x }}{{ end }}{{ toJson $x }}",
        Limit::Depth,
    );
    stops(
        "{{ $x := list }}{{ range until 1000 }}{{ $x = list $x }}{{ end }}{{ deepEqual $x $x }}",
        Limit::Depth,
    );
    let deep = "[".repeat(110);
    stops(&format!("{{{{ fromJson {deep:?} }}}}"), Limit::Depth);
    assert!(render(&format!("{{{{ fromYaml {deep:?} }}}}"), &SMALL).is_err());
}

#[test]
fn nothing_grows_without_end() {
    for template in [
        "{{ repeat 1000000000 \"abc\" }}",
        "{{ until 1000000000 }}",
        "{{ untilStep 0 9223372036854775807 1 }}",
        "{{ seq 0 1000000000 }}",
        "{{ indent 1000000000 \"a\" }}",
        "{{ nindent 1000000000 \"a\" }}",
        "{{ randBytes 1000000000 }}",
        "{{ printf \"%*d\" 1000000 1 | repeat 100 }}",
        "{{ printf \"%9999999d%9999999d%9999999d%9999999d%9999999d%9999999d%9999999d\" 1 1 1 1 1 1 1 }}",
        "{{ $x := \"aaaaaaaaaa\" }}{{ range until 40 }}{{ $x = print $x $x }}{{ end }}",
        "{{ $x := \"aaaaaaaaaa\" }}{{ range until 40 }}{{ $x = replace \"a\" \"aa\" $x }}{{ end }}",
        "{{ $x := list 1 1 }}{{ range until 40 }}{{ $x = concat $x $x }}{{ end }}",
        "{{ $x := list 1 1 }}{{ range until 40 }}{{ $x = list $x $x }}{{ end }}{{ $y := toJson $x }}",
        "{{ $x := list 1 1 }}{{ range until 40 }}{{ $x = dict \"a\" $x \"b\" $x }}{{ end }}{{ $y := toYaml $x }}",
    ] {
        stops(template, Limit::Memory);
    }
    stops("{{ range 1000000 }}aaaaaaaaaa{{ end }}", Limit::Output);
    stops(
        "{{ $x := list 1 1 }}{{ range until 40 }}{{ $x = list $x $x }}{{ end }}{{ $x }}",
        Limit::Output,
    );
    stops("{{ randAlpha 1000000000 }}", Limit::Steps);
}

#[test]
fn a_map_does_not_contain_itself() {
    for template in [
        "{{ $d := dict }}{{ set $d \"a\" $d }}",
        "{{ $d := dict }}{{ set $d \"a\" (list 1 (dict \"b\" $d)) }}",
        "{{ $d := dict }}{{ $e := dict \"d\" $d }}{{ set $d \"e\" $e }}",
        "{{ $d := dict }}{{ merge $d (dict \"a\" $d) }}",
    ] {
        let problem = render(template, &Limits::default()).unwrap_err();
        assert!(
            problem
                .to_string()
                .ends_with("a map cannot be put into itself"),
            "{template}: {problem}"
        );
    }
}

#[test]
fn random_texts_are_of_their_alphabet() {
    let rendered =
        |template: &str| String::from_utf8(render(template, &Limits::default()).unwrap()).unwrap();
    assert!(
        rendered("{{ randAlpha 500 }}")
            .chars()
            .all(|c| c.is_ascii_alphabetic())
    );
    assert!(
        rendered("{{ randNumeric 500 }}")
            .chars()
            .all(|c| c.is_ascii_digit())
    );
    assert!(
        rendered("{{ randAlphaNum 500 }}")
            .chars()
            .all(|c| c.is_ascii_alphanumeric())
    );
    let ascii = rendered("{{ randAscii 500 }}");
    assert!(ascii.chars().all(|c| c.is_ascii_graphic() || c == ' '));
    assert_eq!(ascii.len(), 500);
    let uuid = rendered("{{ uuidv4 }}");
    assert_eq!((uuid.len(), &uuid[14..15]), (36, "4"));
    assert!(matches!(&uuid[19..20], "8" | "9" | "a" | "b"));
    assert_eq!(
        rendered(
            "{{ range until 200 }}{{ $n := randInt -3 4 }}{{ if or (lt $n -3) (gt $n 3) }}x{{ end }}{{ end }}"
        ),
        ""
    );
    assert_eq!(
        rendered("{{ shuffle \"abcdef\" | splitList \"\" | sortAlpha | join \"\" }}"),
        "abcdef"
    );
}

proptest! {
    #[test]
    fn no_text_makes_the_parser_panic(text in "(\\{\\{|\\}\\}|[-.$|():=,\"'`a-z0-9 \\n]|if |range |end|else |\\PC){0,40}") {
        _ = Template::parse("t", &text, &Options::default());
    }

    #[test]
    fn encryption_is_undone(key in "\\PC{0,40}", text in "\\PC{0,80}") {
        let template = format!("{{{{ encryptAES {key:?} {text:?} | decryptAES {key:?} }}}}");
        if let Ok(template) = Template::parse("t", &template, &Options::default()) {
            let mut random = |buffer: &mut [u8]| buffer.fill(3);
            let mut ambient = Ambient {
                now: jiff::Timestamp::UNIX_EPOCH,
                zone: jiff::tz::TimeZone::UTC,
                random: &mut random,
            };
            let rendered = template.render(&Value::Nil, &Limits::default(), &mut ambient).unwrap();
            prop_assert_eq!(rendered.as_bytes(), text.as_bytes());
        }
    }
}
