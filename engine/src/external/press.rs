//! What renders templates.

use std::collections::BTreeMap;

use signet_keys::Plaintext;
use signet_templates::{Ambient, Limits, Options, Template, Value};

/// Renders templates in Go's language, with the functions of the peer, in bounded time.
pub trait Press {
    /// Renders a template over strings, which it sees as `.`: `{{ .user }}`. `name` stands in errors.
    ///
    /// # Errors
    /// The template is none, or a function fails.
    fn render(
        &mut self,
        name: &str,
        text: &str,
        data: &BTreeMap<String, Plaintext>,
    ) -> Result<Plaintext, TemplateError>;
}

/// Why a template gives nothing. Says where and why, and never a value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct TemplateError {
    /// Where and why.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl TemplateError {
    /// An error without a hint.
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            hint: None,
        }
    }
}

/// The press that all use: Go's templates with the functions of the peer, each within its limits.
pub struct GoPress<'a> {
    options: Options,
    limits: Limits,
    ambient: Ambient<'a>,
}

impl<'a> GoPress<'a> {
    /// With the usual limits, and the delimiters that the administrator chose.
    pub fn new(options: Options, ambient: Ambient<'a>) -> Self {
        Self {
            options,
            limits: Limits::default(),
            ambient,
        }
    }
}

impl Press for GoPress<'_> {
    fn render(
        &mut self,
        name: &str,
        text: &str,
        data: &BTreeMap<String, Plaintext>,
    ) -> Result<Plaintext, TemplateError> {
        let template = Template::parse(name, text, &self.options);
        let template = template.map_err(|error| TemplateError {
            message: error.to_string(),
            hint: error.hint().map(str::to_owned),
        })?;
        let strings = data
            .iter()
            .map(|(key, value)| (key.as_str(), value.expose()));
        let rendered = template.render(&Value::strings(strings), &self.limits, &mut self.ambient);
        match rendered {
            Ok(rendered) => Ok(Plaintext::from(rendered.into_bytes())),
            Err(error) => Err(TemplateError {
                message: error.to_string(),
                hint: error.hint().map(str::to_owned),
            }),
        }
    }
}

/// Adds to an error how a key is written that is no name in a template: with a dash it does not parse,
/// with a dot it means something else (external-secrets#4332).
pub(super) fn with_key_hint(
    mut error: TemplateError,
    text: &str,
    data: &BTreeMap<String, Plaintext>,
) -> TemplateError {
    let is_name = |key: &str| {
        let word = |c: char| c.is_alphanumeric() || c == '_';
        key.chars().all(word) && !key.starts_with(|c: char| c.is_ascii_digit())
    };
    let unnameable = data.keys().filter(|key| !is_name(key));
    let meant = unnameable.filter(|key| text.contains(&format!(".{key}")));
    if let Some(key) = meant.max_by_key(|key| key.len()) {
        error.hint = Some(format!(
            "write `{{{{ index . \"{key}\" }}}}` for the key `{key}`"
        ));
    }
    error
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn rendered(text: &str) -> Result<String, TemplateError> {
        let mut random = |bytes: &mut [u8]| bytes.fill(7);
        let ambient = Ambient {
            now: jiff::Timestamp::UNIX_EPOCH,
            zone: jiff::tz::TimeZone::UTC,
            random: &mut random,
        };
        let value = Plaintext::new(b"hunter2".to_vec());
        let data = BTreeMap::from([("password".to_owned(), value)]);
        let rendered = GoPress::new(Options::default(), ambient).render("t", text, &data)?;
        Ok(String::from_utf8(rendered.expose().to_vec()).unwrap())
    }

    #[test]
    fn items_are_strings_to_a_template() {
        assert_eq!(
            rendered("{{ .password | upper | b64enc }}").unwrap(),
            "SFVOVEVSMg=="
        );
        assert_eq!(
            rendered("{{ printf \"%s\" .password }}").unwrap(),
            "hunter2"
        );
    }

    #[test]
    fn an_error_says_where_and_never_what() {
        for text in [
            "{{ .nope }}",
            "{{ .a-b }}",
            "{{ fail .password }}",
            "{{ .password | atoi | add 1 }}{{ mustToDate \"2006\" .password }}",
        ] {
            let error = rendered(text).unwrap_err();
            assert!(error.message.starts_with("template: t:1:"), "{error}");
            assert!(!format!("{error:?}").contains("hunter2"), "{error}");
        }
    }
}
