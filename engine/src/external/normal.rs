//! JSON as Go writes it after it has read it: compact, the keys of objects sorted. The text of numbers is
//! kept, which Go would round (external-secrets#1362).

use std::collections::BTreeMap;

use zeroize::Zeroizing;

use super::gjson::{self, Elements, Members};

/// What becomes of `<`, `>` and `&` in strings.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Html {
    /// As `json.Marshal` does it.
    Escaped,
    /// As they are.
    Plain,
}

/// Writes valid JSON anew.
pub(super) fn json(raw: &str, html: Html) -> Zeroizing<String> {
    let mut out = Zeroizing::new(String::with_capacity(raw.len()));
    write(&mut out, raw.trim(), html);
    out
}

/// Writes a string.
pub(super) fn quote(out: &mut String, text: &str, html: Html) {
    match html {
        Html::Escaped => gjson::quote(out, text),
        Html::Plain => gjson::quote_plain(out, text),
    }
}

fn write(out: &mut String, raw: &str, html: Html) {
    match raw.as_bytes().first() {
        Some(b'{') => {
            // Of two members with one name the last counts.
            let members: BTreeMap<String, &str> = Members::of(raw)
                .map(|(key, value)| (gjson::text(key).to_owned(), value))
                .collect();
            out.push('{');
            for (position, (key, value)) in members.iter().enumerate() {
                if position > 0 {
                    out.push(',');
                }
                quote(out, key, html);
                out.push(':');
                write(out, value, html);
            }
            out.push('}');
        }
        Some(b'[') => {
            out.push('[');
            for (position, element) in Elements::of(raw).enumerate() {
                if position > 0 {
                    out.push(',');
                }
                write(out, element, html);
            }
            out.push(']');
        }
        Some(b'"') => quote(out, &gjson::text(raw), html),
        _ => out.push_str(raw),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_written_as_go_writes_it() {
        let raw = r#" { "b" : [ 1 , {"d":1.50,"c":"\u00e9<&>"} ], "a" : 9007199254740993 , "a" : null } "#;
        assert_eq!(
            *json(raw, Html::Escaped),
            *"{\"a\":null,\"b\":[1,{\"c\":\"é\\u003c\\u0026\\u003e\",\"d\":1.50}]}"
        );
        assert_eq!(
            *json(raw, Html::Plain),
            *r#"{"a":null,"b":[1,{"c":"é<&>","d":1.50}]}"#
        );
    }
}
