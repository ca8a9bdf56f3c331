//! The path that rules are tried on.

use crate::go_regex::GoRegex;

/// How paths are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathStyle {
    /// With `/`.
    Unix,
    /// With `\`.
    Windows,
}

impl PathStyle {
    /// That of the system that the program was built for.
    pub const NATIVE: Self = if cfg!(windows) {
        Self::Windows
    } else {
        Self::Unix
    };
}

/// The path of a file, as `path_regex` sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RulePath {
    path: String,
    style: PathStyle,
}

impl RulePath {
    /// The path of a file as seen from the folder of the rules; both absolute, without `.` and `..`,
    /// and links not followed. A file that is elsewhere keeps its absolute path.
    pub fn new(rules_folder: &str, file: &str, style: PathStyle) -> Self {
        let separator = match style {
            PathStyle::Unix => '/',
            PathStyle::Windows => '\\',
        };
        let below = file
            .strip_prefix(rules_folder)
            .and_then(|rest| rest.strip_prefix(separator));
        Self {
            path: below.unwrap_or(file).to_owned(),
            style,
        }
    }

    /// The path.
    pub fn as_str(&self) -> &str {
        &self.path
    }

    /// Whether an expression matches. On Windows it may be written with either slash: the peer matches
    /// backslashes alone, so rules that were made for it go on matching.
    pub fn matches(&self, regex: &GoRegex) -> bool {
        regex.is_match(&self.path)
            || self.style == PathStyle::Windows && regex.is_match(&self.path.replace('\\', "/"))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn paths_below_the_rules_are_relative_and_others_absolute() {
        let path = |folder, file| RulePath::new(folder, file, PathStyle::Unix).path;
        assert_eq!(path("/repo", "/repo/a/b.yaml"), "a/b.yaml");
        assert_eq!(path("/repo", "/repository/b.yaml"), "/repository/b.yaml");
        assert_eq!(path("/repo/sub", "/repo/b.yaml"), "/repo/b.yaml");
    }

    #[test]
    fn issue_892_2237_1650_both_slashes_match_on_windows() {
        let path = RulePath::new(r"C:\repo", r"C:\repo\env\a.yaml", PathStyle::Windows);
        assert_eq!(path.as_str(), r"env\a.yaml");
        assert!(path.matches(&GoRegex::new("^env/.*").unwrap()));
        assert!(path.matches(&GoRegex::new(r"^env\\.*").unwrap()));
        // Elsewhere a backslash is a part of a name.
        let path = RulePath::new("/repo", r"/repo/env\a.yaml", PathStyle::Unix);
        assert!(!path.matches(&GoRegex::new("^env/.*").unwrap()));
    }
}
