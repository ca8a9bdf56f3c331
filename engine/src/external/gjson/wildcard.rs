//! `*` for any characters, `?` for one, `\` before one that is meant itself.

use super::GetError;
use super::budget::Budget;

/// Whether a text fits a pattern as a whole.
pub(super) fn matches(text: &str, pattern: &str, budget: &Budget) -> Result<bool, GetError> {
    let text: zeroize::Zeroizing<Vec<char>> = text.chars().collect::<Vec<_>>().into();
    let pattern: Vec<char> = pattern.chars().collect();
    let (mut at, mut in_pattern) = (0, 0);
    // Behind the last star, and where the text was when it was met: a longer piece may be its.
    let mut star: Option<(usize, usize)> = None;
    loop {
        budget.spend(1)?;
        match (pattern.get(in_pattern), text.get(at)) {
            (Some('*'), _) => {
                in_pattern += 1;
                star = Some((in_pattern, at));
                continue;
            }
            (Some('?'), Some(_)) => {
                in_pattern += 1;
                at += 1;
                continue;
            }
            (Some('\\'), Some(found)) if pattern.get(in_pattern + 1) == Some(found) => {
                in_pattern += 2;
                at += 1;
                continue;
            }
            (Some(wanted), Some(found)) if wanted == found && *wanted != '\\' => {
                in_pattern += 1;
                at += 1;
                continue;
            }
            (None, None) => return Ok(true),
            _ => {}
        }
        let Some((behind, from)) = star.filter(|(_, from)| *from < text.len()) else {
            return Ok(false);
        };
        star = Some((behind, from + 1));
        (in_pattern, at) = (behind, from + 1);
    }
}
