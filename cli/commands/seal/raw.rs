//! `signet seal --raw`: one value to base64.

use signet_keys::sealed::{Label, Scope};

use super::{Seal, certificate};
use crate::commands::set::cannot_seal;
use crate::sealing::{Memory, Sealer};
use crate::{Context, ExitStatus, Failure, names};

pub(super) fn run(options: &Seal, context: &mut Context) -> Result<ExitStatus, Failure> {
    let label = label(options)?;
    if options.cert.len() > 1 {
        return Err(Failure::usage("`--raw` takes one certificate"));
    }
    let certificates = certificate::load(&options.cert, &options.certificate, context)?;
    let value = options.value.read("the item", context)?;
    let memory = Memory::default();
    for (_, certificate) in &certificates {
        let sealer = Sealer::new(certificate, &memory);
        let mut text = sealer
            .item(&label, "", value.expose(), None)
            .map_err(|error| cannot_seal("the value", &error))?;
        if context.ui.terminals().stdout {
            text.push('\n');
        }
        context.ui.data(text.as_bytes())?;
    }
    Ok(ExitStatus::Success)
}

/// Without a file, name and namespace have to be said.
fn label(options: &Seal) -> Result<Label, Failure> {
    let scope = options.scope.unwrap_or_default();
    let need = |value: &Option<String>, flag: &str| {
        value.clone().filter(|it| !it.is_empty()).ok_or_else(|| {
            Failure::usage(format!(
                "{scope} scope binds the value: `{flag}` is missing"
            ))
        })
    };
    if scope == Scope::ClusterWide {
        return Ok(Label::new(scope, "", ""));
    }
    let namespace = need(&options.namespace, "--namespace")?;
    names::namespace(&namespace)?;
    if scope == Scope::NamespaceWide {
        return Ok(Label::new(scope, &namespace, ""));
    }
    let name = need(&options.name, "--name")?;
    names::object(&name)?;
    Ok(Label::new(scope, &namespace, &name))
}
