#![allow(clippy::unwrap_used)]
use proptest::prelude::*;

use super::*;

/// What Go's `base64.StdEncoding.DecodeString` makes of these texts.
#[test]
fn lenient_where_go_is_lenient() {
    for (text, bytes) in [
        ("", &b""[..]),
        ("\n", b""),
        ("\r\n\r\n", b""),
        ("Zm9v", b"foo"),
        ("Z\nm\r9\r\nv\n", b"foo"),
        ("Zg==", b"f"),
        ("Zg=\n=", b"f"),
        ("Zg==\r\n", b"f"),
        ("Zh==", b"f"),
        ("Zm9=", b"fo"),
        ("+/8=", b"\xfb\xff"),
    ] {
        assert_eq!(decode(text).as_deref(), Ok(bytes), "{text:?}");
    }
}

#[test]
fn strict_where_go_is_strict() {
    use Base64Error::{Character, CutShort};
    for (text, error) in [
        ("Z", CutShort(1)),
        ("Zg", CutShort(2)),
        ("Zg=", CutShort(3)),
        ("Zm9v\nZm9", CutShort(8)),
        ("====", Character(0)),
        ("Z===", Character(1)),
        ("Zg==Zg==", Character(2)),
        ("Zg==x", Character(2)),
        ("Zm9v Zm9v", Character(4)),
        ("Zm9v\tZm9v", Character(4)),
        ("-_8=", Character(0)),
        ("Zm\r\n9*", Character(5)),
        ("grüße", Character(2)),
    ] {
        assert_eq!(decode(text), Err(error), "{text:?}");
    }
}

#[test]
fn an_error_shows_nothing_of_the_text() {
    let error = decode("hunter2!").unwrap_err();
    assert_eq!(
        error.to_string(),
        "not base64: unexpected character at offset 7"
    );
}

proptest! {
    #[test]
    fn what_is_encoded_decodes_wherever_lines_end(
        bytes in prop::collection::vec(any::<u8>(), 0..200),
        width in 1..80_usize,
        line_end in prop_oneof![Just("\n"), Just("\r\n"), Just("\r")],
    ) {
        let text = encode(&bytes);
        prop_assert_eq!(decode(&text), Ok(bytes.clone()));
        let lines: Vec<_> = text.as_bytes().chunks(width).map(String::from_utf8_lossy).collect();
        prop_assert_eq!(decode(&lines.join(line_end)), Ok(bytes));
    }
}
