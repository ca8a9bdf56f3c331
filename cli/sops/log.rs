//! Lines of the peer's log, which it writes beside its errors.

use jiff::fmt::temporal::DateTimePrinter;
use signet_documents::sops::tree::PathPart;
use signet_keys::sops::MasterKey;
use signet_providers::KeyWork;

use crate::Context;
use crate::secrets::Services;

/// How much a line matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Level {
    Debug,
    Info,
    Warning,
    Error,
    Fatal,
}

/// Writes a line of the log to standard error, in the form that the peer has for no terminal.
pub(super) fn write(context: &mut Context, level: Level, text: &str) {
    write_of(context, "CMD", level, text);
}

/// The same, of another part of the program.
pub(super) fn write_of(context: &mut Context, part: &str, level: Level, text: &str) {
    write_about(context, part, level, text, &[]);
}

/// The same, with names and values of what it is about.
fn write_about(
    context: &mut Context,
    part: &str,
    level: Level,
    text: &str,
    about: &[(&str, String)],
) {
    let level = match level {
        Level::Debug => "debug",
        Level::Info => "info",
        Level::Warning => "warning",
        Level::Error => "error",
        Level::Fatal => "fatal",
    };
    let time = DateTimePrinter::new()
        .precision(Some(0))
        .timestamp_to_string(&context.env.now());
    let about = about.iter().map(|(name, value)| {
        let is_plain = |char: char| char.is_ascii_alphanumeric() || "-._/@^+".contains(char);
        if value.chars().all(is_plain) {
            format!(" {name}={value}")
        } else {
            format!(" {name}={value:?}")
        }
    });
    let about: String = about.collect();
    context.ui.message(&format!(
        "[{part}]\t time=\"{time}\" level={level} msg={text:?}{about}"
    ));
}

/// A warning of the program.
pub(super) fn warn(context: &mut Context, text: &str) {
    write(context, Level::Warning, text);
}

/// Tells what was asked of keys since the last time.
pub(super) fn keys(services: &Services, context: &mut Context) {
    for work in services.notes() {
        let verb = if work.wrapping {
            "Encryption"
        } else {
            "Decryption"
        };
        let (part, good, about) = key(&work);
        let text = format!("{verb} {}", if work.done { good } else { "failed" });
        write_about(context, part, Level::Info, &text, &about);
    }
}

/// Tells that the data key was found and is used.
pub(super) fn decrypting(context: &mut Context) {
    let told = "Data key recovered successfully";
    write_of(context, "SOPS", Level::Info, told);
    write_of(context, "SOPS", Level::Debug, "Decrypting tree");
}

/// Tells which part is looked for.
pub(super) fn truncating(path: &[PathPart], context: &mut Context) {
    let parts = path.iter().map(|part| match part {
        PathPart::Key(key) => key.clone(),
        PathPart::Index(index) => index.to_string(),
    });
    let about = format!("[{}]", parts.collect::<Vec<_>>().join(" "));
    let about = [("path", about)];
    write_about(context, "SOPS", Level::Info, "Truncating tree", &about);
}

/// Which part of the program has keys of a kind, its word for success, and what it names of a key.
fn key(work: &KeyWork) -> (&'static str, &'static str, Vec<(&'static str, String)>) {
    let about = |name, value: &String| vec![(name, value.clone())];
    match &work.key {
        MasterKey::Age { recipient } if work.wrapping => {
            ("AGE", "succeeded", about("recipient", recipient))
        }
        MasterKey::Age { .. } => ("AGE", "succeeded", Vec::new()),
        MasterKey::AzureKv { name, version, .. } => {
            let version = version.clone().unwrap_or_default();
            let about = vec![("key", name.clone()), ("version", version)];
            ("AZKV", "succeeded", about)
        }
        MasterKey::GcpKms { resource_id } => {
            ("GCPKMS", "succeeded", about("resourceID", resource_id))
        }
        MasterKey::HcKms { key_id } => ("HCKMS", "succeeded", about("keyID", key_id)),
        MasterKey::HcVault {
            engine_path,
            key_name,
            ..
        } => {
            let verb = if work.wrapping { "encrypt" } else { "decrypt" };
            let path = format!("{engine_path}/{verb}/{key_name}");
            ("VAULT_TRANSIT", "successful", vec![("Path", path)])
        }
        MasterKey::Kms { arn, .. } => ("AWSKMS", "succeeded", about("arn", arn)),
        MasterKey::Pgp { fingerprint } => ("PGP", "succeeded", about("fingerprint", fingerprint)),
    }
}
