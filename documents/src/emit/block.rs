//! Block scalars: the header's indicators and the lines below it.

/// Whether line breaks are written as they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Folding {
    /// `|`
    Literal,
    /// `>`: a single line break would become a space.
    Folded,
}

/// When the header says how far the lines are indented.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Indicator {
    Always,
    /// If the text begins with a space or a line break.
    AsSops,
    /// If the first line with text would be read with another indentation.
    IfNeeded,
}

/// A block scalar, without the line break behind it. Its lines begin at `indent`; `parent` is the
/// indentation of what it is in, which an indicator counts from.
///
/// The text must be one that a block scalar can hold.
pub(crate) fn block(
    text: &str,
    folding: Folding,
    indent: usize,
    parent: usize,
    indicator: Indicator,
    line_break: &str,
) -> String {
    let content = text.trim_end_matches('\n');
    let trailing = text.len() - content.len();
    let mut out = String::with_capacity(text.len() + 8);
    out.push(match folding {
        Folding::Literal => '|',
        Folding::Folded => '>',
    });
    let has_indicator = match indicator {
        Indicator::Always => true,
        Indicator::AsSops => text.starts_with([' ', '\n', '\t']),
        Indicator::IfNeeded => text
            .split('\n')
            .find(|line| !line.is_empty())
            .is_none_or(|line| line.starts_with([' ', '\t'])),
    };
    if has_indicator {
        out.push_str(&(indent - parent).to_string());
    }
    match trailing {
        0 => out.push('-'),
        1 if !content.is_empty() => {}
        _ => out.push('+'),
    }
    let mut put = |line: &str| {
        out.push_str(line_break);
        if !line.is_empty() {
            out.extend(std::iter::repeat_n(' ', indent));
            out.push_str(line);
        }
    };
    if !content.is_empty() {
        let mut before: Option<&str> = None;
        for line in content.split('\n') {
            if folding == Folding::Folded && before.is_some_and(|before| folds(before, line)) {
                put("");
            }
            put(line);
            // Empty lines are read as the line breaks between those with text.
            if !line.is_empty() || before.is_none() {
                before = Some(line);
            }
        }
    }
    // The last line break is that of the last line.
    let own = usize::from(!content.is_empty());
    for _ in 0..trailing.saturating_sub(own) {
        put("");
    }
    out
}

/// Whether the line break between two lines of a text would be read as a space, or one of several be
/// swallowed: not if one of the lines begins with white space.
fn folds(before: &str, line: &str) -> bool {
    let flush = |line: &str| !line.is_empty() && !line.starts_with([' ', '\t']);
    flush(before) && flush(line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::Stream;

    fn read(text: &str) -> Option<String> {
        let stream = Stream::parse(text).ok()?;
        let root = stream.documents().first()?.root()?;
        Some(root.get("k")?.text()?.to_owned())
    }

    proptest::proptest! {
        #[test]
        fn a_block_scalar_says_what_the_text_said(
            text in "[ab #:\t\n-]{1,12}",
            step in 1..6_usize,
            folded in proptest::bool::ANY,
            as_sops in proptest::bool::ANY,
        ) {
            proptest::prop_assume!(!text.chars().all(|char| char == ' '));
            let folding = if folded { Folding::Folded } else { Folding::Literal };
            let indicator = if as_sops { Indicator::AsSops } else { Indicator::IfNeeded };
            let yaml = format!("k: {}\nz: 1\n", block(&text, folding, step, 0, indicator, "\n"));
            proptest::prop_assert_eq!(read(&yaml), Some(text), "{:?}", yaml);
        }
    }
}
