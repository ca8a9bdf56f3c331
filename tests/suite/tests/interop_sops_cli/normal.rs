//! Outputs made comparable: ciphertext, wrapped keys, times and the names of temporary folders differ
//! from run to run.

use std::fmt::Write as _;

/// Replaces what differs by what it is.
pub fn normal(text: &[u8], folder: &str) -> String {
    let text = String::from_utf8_lossy(text).replace(folder, "{dir}");
    temporary(&times(&armor(&values(&text))))
}

/// `ENC[AES256_GCM,data:…,type:str]` becomes `<12 str>`: the length and the type.
fn values(text: &str) -> String {
    replace(text, "ENC[AES256_GCM,data:", |rest| {
        let end = rest.find(']')?;
        let data = rest[..end].split(',').next()?;
        let kind = rest[..end].rsplit("type:").next()?;
        Some((format!("<{} {kind}>", data.len()), end + 1))
    })
}

/// The body of an armored age file becomes `<age>`, also where its lines are joined by `\n`.
fn armor(text: &str) -> String {
    const END: &str = "-----END AGE ENCRYPTED FILE-----";
    replace(text, "-----BEGIN AGE ENCRYPTED FILE-----", |rest| {
        Some(("<age>".to_owned(), rest.find(END)? + END.len()))
    })
}

/// `2026-01-31T12:00:00Z` and `2026/01/31 12:00:00` become `<time>`.
fn times(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(char) = rest.chars().next() {
        let forms = ["0000-00-00T00:00:00Z", "0000/00/00 00:00:00"];
        let form = forms.iter().find(|form| is_like(rest, form));
        let length = form.map_or(char.len_utf8(), |form| form.len());
        out.push_str(form.map_or(&rest[..length], |_| "<time>"));
        rest = &rest[length..];
    }
    out
}

fn is_like(text: &str, form: &str) -> bool {
    text.len() >= form.len()
        && text
            .bytes()
            .zip(form.bytes())
            .all(|(byte, form)| match form {
                b'0' => byte.is_ascii_digit(),
                _ => byte == form,
            })
}

/// Folders and files that a run made for itself.
fn temporary(text: &str) -> String {
    let digits = |rest: &str| rest.find(|char: char| !char.is_ascii_alphanumeric());
    let folder = replace(text, "/.sops", |rest| {
        let end = digits(rest).unwrap_or(rest.len());
        (end > 3).then(|| ("/<folder>".to_owned(), end))
    });
    replace(&folder, "/<folder>/tmp-file", |rest| {
        let end = digits(rest).unwrap_or(rest.len());
        Some(("/<folder>/tmp-file".to_owned(), end))
    })
}

/// Replaces each `start` and as much of what follows as `new` says.
fn replace(text: &str, start: &str, new: impl Fn(&str) -> Option<(String, usize)>) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(found) = rest.find(start) {
        let after = &rest[found + start.len()..];
        out.push_str(&rest[..found]);
        let (told, length) = new(after).unwrap_or_else(|| (start.to_owned(), 0));
        let _ = write!(out, "{told}");
        rest = &after[length..];
    }
    out + rest
}

#[test]
fn only_what_differs_from_run_to_run_is_replaced() {
    let text = "a: ENC[AES256_GCM,data:aGk=,iv:x,tag:y,type:str]\nlastmodified: \"2026-01-31T12:00:00Z\"\n\
                enc: |\n  -----BEGIN AGE ENCRYPTED FILE-----\n  abc\n  -----END AGE ENCRYPTED FILE-----\n\
                x: /d/a /tmp/.sops123456/tmp-file99 /d/.sops.yaml 2026-01-31\n";
    assert_eq!(
        normal(text.as_bytes(), "/d"),
        "a: <4 str>\nlastmodified: \"<time>\"\nenc: |\n  <age>\n\
         x: {dir}/a /tmp/<folder>/tmp-file {dir}/.sops.yaml 2026-01-31\n"
    );
}
