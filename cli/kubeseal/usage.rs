//! The text of `--help`, made of the table of flags.

use std::fmt::Write as _;

use super::flags::{FLAGS, Flag, Group, LogValue, Takes};

/// Which flags there are, in columns.
pub(super) fn usage(program: &str) -> String {
    let mut text = format!(
        "Usage of {program}:\n\n  \
         {program} [flags] < secret.yaml > sealed.yaml\n\n\
         Every flag but those of logging can also be set by an environment variable:\n\
         --controller-name by SEALED_SECRETS_CONTROLLER_NAME, and so on.\n"
    );
    section(&mut text, "Flags", Group::Own);
    section(&mut text, "Which cluster, and as whom", Group::Cluster);
    section(
        &mut text,
        "Accepted for compatibility, without effect",
        Group::Logging,
    );
    text
}

fn section(text: &mut String, title: &str, group: Group) {
    // Writing to a String cannot fail.
    let _ = writeln!(text, "\n{title}:");
    for flag in FLAGS.iter().filter(|flag| flag.group == group) {
        let letter = flag
            .shorthand
            .map_or_else(|| "    ".to_owned(), |letter| format!("-{letter}, "));
        let name = format!("{letter}--{} {}", flag.name, placeholder(flag));
        let line = format!("  {:<36}  {}", name.trim_end(), flag.help);
        let _ = writeln!(text, "{}", line.trim_end());
    }
}

fn placeholder(flag: &Flag) -> &'static str {
    match flag.takes {
        Takes::Switch(_) | Takes::Ignored(LogValue::Switch) => "",
        Takes::Text(_) | Takes::Repeated(_) | Takes::Ignored(LogValue::Text) => "string",
        Takes::List(_) => "strings",
        Takes::Duration(_) => "time",
        Takes::Scope(_) => "scope",
        Takes::Ignored(LogValue::Level | LogValue::Size) => "number",
        Takes::Ignored(LogValue::Severity) => "severity",
        Takes::Ignored(LogValue::TraceLocation) => "file:line",
        Takes::Ignored(LogValue::Modules) => "pattern=number,...",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usage_names_every_flag_that_is_not_deprecated() {
        let text = usage("kubeseal");
        for flag in FLAGS {
            let listed = text.contains(&format!("--{}", flag.name));
            let deprecated = matches!(flag.group, Group::Deprecated { .. });
            assert_eq!(listed, !deprecated, "--{}", flag.name);
        }
    }
}
