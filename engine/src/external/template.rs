//! What the Secret looks like: the items as they are, or what templates make of them.

use std::collections::BTreeMap;

use signet_crds::constants::annotation as signet;
use signet_crds::external::external_secret::{
    ExternalSecret, MergePolicy, Template, TemplateFrom, TemplateRef, TemplateScope, TemplateTarget,
};
use signet_keys::Plaintext;

use super::answers::{Answers, Failure};
use super::convert::{self, KeyError};
use super::decode::{self, DecodeError};
use super::needs::{Source, SourceKind};
use super::press::{Press, TemplateError, with_key_hint};

mod mapping;

pub use mapping::MappingError;

/// Everything of a Secret that the ExternalSecret says.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Shaped {
    /// The items.
    pub data: BTreeMap<String, Plaintext>,
    /// Labels.
    pub labels: BTreeMap<String, String>,
    /// Annotations.
    pub annotations: BTreeMap<String, String>,
    /// Finalizers. They are added and never taken away.
    pub finalizers: Vec<String>,
    /// The type, where it is said.
    pub type_: Option<String>,
}

/// Why a Secret cannot be shaped so. No value shows.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {cause}")]
pub struct ShapeError {
    /// Where in `target.template`.
    pub place: String,
    /// What is wrong.
    pub cause: ShapeCause,
}

/// What is wrong with a template.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ShapeCause {
    /// It cannot be followed.
    #[error("{0}{hint}", hint = .0.hint.as_ref().map(|hint| format!("; {hint}")).unwrap_or_default())]
    Template(TemplateError),
    /// Keys and values are asked for, and what it gives is no YAML mapping.
    #[error(transparent)]
    Mapping(MappingError),
    /// It cannot be an item.
    #[error(transparent)]
    Key(KeyError),
    /// It is encoded otherwise.
    #[error("`{0}`: {1}")]
    Decode(String, DecodeError),
    /// The object with the template is not there.
    #[error("there is no {0} `{1}` in the namespace")]
    NoSource(&'static str, String),
    /// The object with the template cannot be read.
    #[error("{kind} `{name}` cannot be read: {message}")]
    Source {
        /// Its kind.
        kind: &'static str,
        /// Its name.
        name: String,
        /// Why.
        message: String,
        /// Whether another attempt may end otherwise.
        transient: bool,
    },
    /// The object has no such template.
    #[error("{0} `{1}` has no item `{2}`")]
    NoItem(&'static str, String, String),
    /// What stands in metadata must be text.
    #[error("it gives what is not text")]
    NotText,
    /// Fields of other kinds of object.
    #[error("`{0}` is no place in a Secret; Data, Annotations and Labels are")]
    Target(String),
}

/// Shapes a Secret of items.
///
/// Of items with one key that of `template.data` counts most, then `templateFrom`, then what the stores
/// have. Without a template the labels and annotations are those of the ExternalSecret.
///
/// # Errors
/// A template cannot be followed.
pub fn shape(
    external: &ExternalSecret,
    items: BTreeMap<String, Plaintext>,
    answers: &Answers,
    press: &mut dyn Press,
) -> Result<Shaped, ShapeError> {
    let Some(template) = &external.spec.target.template else {
        let metadata = &external.metadata;
        return Ok(Shaped {
            data: items,
            labels: copied(metadata.labels.as_ref(), is_tracking_label),
            annotations: copied(metadata.annotations.as_ref(), is_own_annotation),
            ..Shaped::default()
        });
    };
    follow(template, items, answers, press)
}

/// What a template makes of items.
///
/// # Errors
/// It cannot be followed.
pub(super) fn follow(
    template: &Template,
    items: BTreeMap<String, Plaintext>,
    answers: &Answers,
    press: &mut dyn Press,
) -> Result<Shaped, ShapeError> {
    let is_bare = template.data.is_empty() && template.template_from.is_empty();
    let keeps_items = is_bare || template.merge_policy == MergePolicy::Merge;
    let mut work = Work {
        out: Shaped {
            data: if keeps_items {
                items.clone()
            } else {
                BTreeMap::new()
            },
            finalizers: template.metadata.finalizers.clone(),
            type_: template.type_.clone(),
            ..Shaped::default()
        },
        items,
        answers,
        press,
    };
    work.follow(template)?;
    Ok(work.out)
}

struct Work<'w> {
    out: Shaped,
    items: BTreeMap<String, Plaintext>,
    answers: &'w Answers,
    press: &'w mut dyn Press,
}

impl Work<'_> {
    fn follow(&mut self, template: &Template) -> Result<(), ShapeError> {
        for (index, from) in template.template_from.iter().enumerate() {
            self.from(&format!("templateFrom[{index}]"), from)?;
        }
        let (data, labels, annotations) = (
            (&template.data, TemplateTarget::Data, "data"),
            (
                &template.metadata.labels,
                TemplateTarget::Labels,
                "metadata.labels",
            ),
            (
                &template.metadata.annotations,
                TemplateTarget::Annotations,
                "metadata.annotations",
            ),
        );
        for (texts, target, field) in [data, labels, annotations] {
            for (key, text) in texts {
                let place = format!("{field}[{key}]");
                let value = self.render(&place, text)?;
                self.put(&place, target, key.clone(), value)?;
            }
        }
        Ok(())
    }

    fn from(&mut self, place: &str, from: &TemplateFrom) -> Result<(), ShapeError> {
        if let Some(map) = &from.config_map {
            self.items_of(place, SourceKind::ConfigMap, map, from)?;
        }
        if let Some(secret) = &from.secret {
            self.items_of(place, SourceKind::Secret, secret, from)?;
        }
        if let Some(literal) = &from.literal {
            let place = format!("{place}.literal");
            self.keys_and_values(&place, literal, from)?;
        }
        Ok(())
    }

    fn items_of(
        &mut self,
        place: &str,
        kind: SourceKind,
        reference: &TemplateRef,
        from: &TemplateFrom,
    ) -> Result<(), ShapeError> {
        let error = |cause| at(place, cause);
        let (word, name) = (kind_word(kind), &reference.name);
        let source = Source {
            kind,
            name: name.clone(),
        };
        let answers = self.answers;
        let items = match answers.sources.get(&source) {
            Some(Ok(items)) => items,
            Some(Err(Failure::Failed {
                message, transient, ..
            })) => {
                return Err(error(ShapeCause::Source {
                    kind: word,
                    name: name.clone(),
                    message: message.clone(),
                    transient: *transient,
                }));
            }
            Some(Err(Failure::Missing)) | None => {
                return Err(error(ShapeCause::NoSource(word, name.clone())));
            }
        };
        for item in &reference.items {
            let key = &item.key;
            let missing = || error(ShapeCause::NoItem(word, name.clone(), key.clone()));
            let text = items.get(key).ok_or_else(missing)?;
            let text = std::str::from_utf8(text.expose());
            let text = text.map_err(|_| error(ShapeCause::NotText))?;
            let place = format!("{place} ({word} `{name}`, item `{key}`)");
            match item.template_as {
                TemplateScope::Values => {
                    let value = self.render(&place, text)?;
                    self.put_decoded(&place, from, key.clone(), value)?;
                }
                TemplateScope::KeysAndValues => self.keys_and_values(&place, text, from)?,
            }
        }
        Ok(())
    }

    /// The whole text is a template of a YAML mapping.
    fn keys_and_values(
        &mut self,
        place: &str,
        text: &str,
        from: &TemplateFrom,
    ) -> Result<(), ShapeError> {
        let rendered = self.render(place, text)?;
        let mapping = mapping::read(&rendered);
        let mapping = mapping.map_err(|error| at(place, ShapeCause::Mapping(error)))?;
        for (key, value) in mapping {
            self.put_decoded(place, from, key, value)?;
        }
        Ok(())
    }

    fn render(&mut self, place: &str, text: &str) -> Result<Plaintext, ShapeError> {
        self.press
            .render(place, text, &self.items)
            .map_err(|error| {
                let error = with_key_hint(error, text, &self.items);
                at(place, ShapeCause::Template(error))
            })
    }

    fn put_decoded(
        &mut self,
        place: &str,
        from: &TemplateFrom,
        key: String,
        value: Plaintext,
    ) -> Result<(), ShapeError> {
        let value = decode::decode(value, from.values_decoding_strategy);
        let value = value.map_err(|error| at(place, ShapeCause::Decode(key.clone(), error)))?;
        self.put(place, from.target(), key, value)
    }

    fn put(
        &mut self,
        place: &str,
        target: TemplateTarget<'_>,
        key: String,
        value: Plaintext,
    ) -> Result<(), ShapeError> {
        let map = match target {
            TemplateTarget::Data => {
                convert::check_key(&key).map_err(|error| at(place, ShapeCause::Key(error)))?;
                self.out.data.insert(key, value);
                return Ok(());
            }
            TemplateTarget::Labels => &mut self.out.labels,
            TemplateTarget::Annotations => &mut self.out.annotations,
            TemplateTarget::Path(path) => {
                return Err(at(place, ShapeCause::Target(path.to_owned())));
            }
        };
        let text = String::from_utf8(value.expose().to_vec());
        map.insert(key, text.map_err(|_| at(place, ShapeCause::NotText))?);
        Ok(())
    }
}

fn at(place: &str, cause: ShapeCause) -> ShapeError {
    ShapeError {
        place: format!("target.template.{place}"),
        cause,
    }
}

fn kind_word(kind: SourceKind) -> &'static str {
    match kind {
        SourceKind::ConfigMap => "ConfigMap",
        SourceKind::Secret => "Secret",
    }
}

fn copied(
    texts: Option<&BTreeMap<String, String>>,
    is_left_out: fn(&str) -> bool,
) -> BTreeMap<String, String> {
    let texts = texts.into_iter().flatten();
    let texts = texts.filter(|(name, _)| !is_left_out(name));
    texts
        .map(|(name, text)| (name.clone(), text.clone()))
        .collect()
}

/// By which Argo CD knows what it deployed: on the Secret it would take that for its own, and delete it
/// since no manifest in Git says so (external-secrets#1885).
fn is_tracking_label(name: &str) -> bool {
    matches!(
        name,
        "app.kubernetes.io/instance" | "argocd.argoproj.io/instance"
    )
}

fn is_own_annotation(name: &str) -> bool {
    const ARGO_CD: [&str; 2] = [
        "argocd.argoproj.io/tracking-id",
        "argocd.argoproj.io/installation-id",
    ];
    ARGO_CD.contains(&name)
        || signet::LAST_APPLIED.contains(&name)
        || name.starts_with("signet.dev/")
}

#[cfg(test)]
mod tests;
