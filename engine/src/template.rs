//! The template of a SealedSecret: everything of the Secret but its sealed items.

use std::collections::BTreeMap;

use signet_crds::sealed_secret::SealedSecret;
use signet_keys::Plaintext;

use crate::attention;
use crate::desired::{self, DesiredSecret};
use crate::policy::Policy;
use crate::unseal::{Cause, Problem, Warning};

/// What of the template cannot be done.
pub(crate) fn problems(sealed: &SealedSecret) -> Option<Problem> {
    let spec = &sealed.spec;
    let has_action = |text: &Option<String>| text.as_ref().is_some_and(|text| text.contains("{{"));
    let keys: Vec<_> = spec
        .template
        .data
        .iter()
        .filter(|(key, text)| has_action(text) && !spec.encrypted_data.contains_key(*key))
        .map(|(key, _)| key.clone())
        .collect();
    (!keys.is_empty()).then_some(Problem {
        keys,
        cause: Cause::Template,
    })
}

/// What of the object has no effect.
pub(crate) fn warnings(sealed: &SealedSecret) -> Vec<Warning> {
    let template = &sealed.spec.template;
    let sealed_too = |key: &&String| sealed.spec.encrypted_data.contains_key(*key);
    let texts = template.data.iter().filter(|(_, text)| text.is_some());
    let shadowed: Vec<_> = texts
        .map(|(key, _)| key)
        .filter(sealed_too)
        .cloned()
        .collect();
    let shadowed = Some(shadowed)
        .filter(|keys| !keys.is_empty())
        .map(Warning::Shadowed);
    let unknown = template.unknown.keys().cloned().map(Warning::UnknownField);
    let misspelt = attention::misspelt(sealed)
        .map(|(name, value)| Warning::Misspelt(name.to_owned(), value.to_owned()));
    shadowed
        .into_iter()
        .chain(unknown)
        .chain(misspelt)
        .collect()
}

/// The Secret of opened items and the template. A sealed item wins over an item of the template with
/// the same name, so that plain text never takes the place of a secret; `null` in the template leaves
/// a sealed item out.
pub(crate) fn secret(
    sealed: &SealedSecret,
    mut data: BTreeMap<String, Plaintext>,
    policy: &Policy,
) -> DesiredSecret {
    let template = &sealed.spec.template;
    for (key, text) in &template.data {
        match text {
            None => drop(data.remove(key)),
            Some(text) => {
                data.entry(key.clone())
                    .or_insert_with(|| Plaintext::new(text.clone().into()));
            }
        }
    }
    let mut labels = policy.default_labels.clone();
    labels.extend(template.metadata.labels.clone());
    DesiredSecret {
        namespace: sealed.metadata.namespace.clone(),
        name: sealed.metadata.name.clone().unwrap_or_default(),
        type_: template.type_.clone(),
        immutable: template.immutable,
        data,
        labels,
        annotations: template.metadata.annotations.clone(),
        finalizers: template.metadata.finalizers.clone(),
        owner: desired::owner(sealed),
    }
}
