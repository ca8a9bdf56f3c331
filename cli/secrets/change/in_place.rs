//! One value of a text changed where it stands, all else unchanged.

use signet_documents::edit::{Editor, Part};
use signet_documents::sops::FileFormat;
use signet_documents::sops::tree::PathPart;
use signet_documents::source;
use signet_documents::yaml::Stream;
use signet_documents::{dotenv, ini};
use zeroize::Zeroizing;

/// What is done to the value at a path.
#[derive(Clone, Copy)]
pub(super) enum Edit<'v> {
    /// It becomes this one.
    Set(&'v serde_json::Value),
    /// It goes.
    Unset,
}

/// The text with an edit made; nothing if it cannot be made in place. An index counts items, and not the
/// comments between them. Whether the text says what it should is for the caller to see.
pub(super) fn edited(
    format: FileFormat,
    bytes: &[u8],
    path: &[PathPart],
    edit: Edit<'_>,
) -> Option<Zeroizing<Vec<u8>>> {
    let text = source::decode(bytes).ok()?;
    let edited = match format {
        FileFormat::Yaml | FileFormat::Json => in_tree(text.as_str(), path, edit),
        FileFormat::Dotenv => in_dotenv(text.as_str(), path, edit),
        FileFormat::Ini => in_ini(text.as_str(), path, edit),
        FileFormat::Binary => None,
    };
    Some(Zeroizing::new(text.encode(&edited?)))
}

fn in_tree(text: &str, path: &[PathPart], edit: Edit<'_>) -> Option<Zeroizing<String>> {
    let stream = Stream::parse(text).ok()?;
    let document = stream.documents().first()?;
    let root = document.root()?;
    let path: Vec<Part<'_>> = path.iter().map(part).collect();
    let mut editor = Editor::new(document);
    match edit {
        Edit::Set(value) => editor.put(root, &path, value),
        Edit::Unset => editor.take(root, &path),
    }
    .ok()?;
    editor.apply().ok().map(Zeroizing::new)
}

fn part(part: &PathPart) -> Part<'_> {
    match part {
        PathPart::Key(key) => Part::Key(key),
        PathPart::Index(index) => Part::Index(*index),
    }
}

fn in_dotenv(text: &str, path: &[PathPart], edit: Edit<'_>) -> Option<Zeroizing<String>> {
    let [PathPart::Key(name)] = path else {
        return None;
    };
    match edit {
        Edit::Set(value) => dotenv::set(text, name, value.as_str()?).ok(),
        Edit::Unset => dotenv::remove(text, name).ok()?,
    }
}

fn in_ini(text: &str, path: &[PathPart], edit: Edit<'_>) -> Option<Zeroizing<String>> {
    let [PathPart::Key(section), PathPart::Key(name)] = path else {
        return None;
    };
    match edit {
        Edit::Set(value) => ini::set(text, section, name, value.as_str()?).ok(),
        Edit::Unset => ini::remove(text, section, name).ok()?,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use serde_json::json;

    use super::*;

    fn path(parts: &[&str]) -> Vec<PathPart> {
        let part = |part: &&str| match part.parse() {
            Ok(index) => PathPart::Index(index),
            Err(_) => PathPart::Key((*part).to_owned()),
        };
        parts.iter().map(part).collect()
    }

    fn set(format: FileFormat, text: &str, parts: &[&str], value: &str) -> String {
        let value = json!(value);
        let edited = edited(format, text.as_bytes(), &path(parts), Edit::Set(&value));
        String::from_utf8(edited.unwrap().to_vec()).unwrap()
    }

    #[test]
    fn an_item_of_a_list_is_replaced_where_it_stands() {
        let text = "# who\nusers:\n- ann   # first\n-   \"bob\"\n";
        assert_eq!(
            set(FileFormat::Yaml, text, &["users", "1"], "eve"),
            "# who\nusers:\n- ann   # first\n-   \"eve\"\n"
        );
    }

    #[test]
    fn a_list_gains_an_item_and_nothing_else_moves() {
        let text = "# who\nusers:\n  - ann   # first\n\n  # last\n  -   'bob'\n\nz: 1.50\n";
        assert_eq!(
            set(FileFormat::Yaml, text, &["users", "2"], "eve"),
            "# who\nusers:\n  - ann   # first\n\n  # last\n  -   'bob'\n  - eve\n\nz: 1.50\n"
        );
        let unset = edited(
            FileFormat::Yaml,
            text.as_bytes(),
            &path(&["users", "0"]),
            Edit::Unset,
        );
        assert_eq!(
            String::from_utf8(unset.unwrap().to_vec()).unwrap(),
            "# who\nusers:\n\n  # last\n  -   'bob'\n\nz: 1.50\n"
        );
    }

    #[test]
    fn an_item_between_brackets_stays_one_item() {
        assert_eq!(
            set(FileFormat::Yaml, "a: [x, y] # z\n", &["a", "0"], "1, 2"),
            "a: [\"1, 2\", y] # z\n"
        );
    }

    #[test]
    fn a_key_below_an_item_of_a_list_is_set_where_it_stands() {
        let text = "users:\n  - name: ann # first\n    pw: old\n  - name: bob\n";
        assert_eq!(
            set(FileFormat::Yaml, text, &["users", "0", "pw"], "new"),
            "users:\n  - name: ann # first\n    pw: new\n  - name: bob\n"
        );
        let text = "{\n \"users\": [{\"pw\": \"old\"}, 1.50]\n}\n";
        assert_eq!(
            set(FileFormat::Json, text, &["users", "0", "pw"], "new"),
            "{\n \"users\": [{\"pw\": \"new\"}, 1.50]\n}\n"
        );
    }

    #[test]
    fn issue_1127_other_lines_of_a_dotenv_file_stay_as_they_are() {
        let text = "# db\r\nA=1\r\n\r\nB = \"x\"\nC=3";
        assert_eq!(
            set(FileFormat::Dotenv, text, &["C"], "4"),
            "# db\r\nA=1\r\n\r\nB = \"x\"\nC=4"
        );
    }

    #[test]
    fn other_lines_of_an_ini_file_stay_as_they_are() {
        let text = "; db\n[db]\nuser   =   ann\npw = old\n\n\n[other]\nx=1\n";
        assert_eq!(
            set(FileFormat::Ini, text, &["db", "pw"], "new"),
            "; db\n[db]\nuser   =   ann\npw = new\n\n\n[other]\nx=1\n"
        );
    }
}
