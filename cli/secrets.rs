//! What is done with SOPS files, under whatever name the program was called.
//!
//! ```text
//! open      bytes ──> an encrypted file with its metadata        rules     .sops.yaml: for whom, and what
//! services  who unwraps and wraps the data key                   output    which bytes come out, and where to
//!      │                                                            │
//!      └──> decrypt · encrypt · change (set, unset, edit) · rotate · update ──> new bytes of the file
//!                                                                  publish ──> a bucket, a Vault
//! ```
//!
//! Each operation takes values and gives bytes; reading arguments, asking and printing is the business
//! of the commands.

pub mod batch;
mod change;
pub mod consent;
pub mod edit;
mod encrypt;
pub mod environment_of;
pub mod exec;
pub mod exposure;
mod open;
pub mod options;
pub mod output;
#[cfg_attr(
    not(feature = "full"),
    expect(dead_code, reason = "a build without a network sends nothing")
)]
pub mod publish;
mod rotate;
mod rule_book;
mod rules;
mod services;
pub mod tree;
mod update;
pub mod work;

pub use change::{ChangeError, PartError, set, unset};
pub use encrypt::{EncryptError, Recipients, encrypt, encrypt_under};
pub use open::{LockedError, OpenError, PlainFile, SecretFile};
pub use output::Layout;
pub use rotate::{change_keys, keys_of, rotate};
pub use rule_book::RuleBook;
pub use rules::{Found, RuleSource, RulesError};
#[cfg(feature = "full")]
pub use services::environment;
pub use services::{KeysError, ServiceOptions, Services, tried};
pub use update::update;

/// The version of `sops` that files are marked with: the newest that reads what is written here.
pub const FORMAT_VERSION: &str = "3.13.3";

/// The version that a changed file is marked with: ours, unless it has a newer one.
pub fn newer(version: &str) -> String {
    let numbers = |text: &str| -> Vec<u64> {
        let numbers = text.split(['.', '-', '+']).map(str::parse);
        numbers.map_while(Result::ok).collect()
    };
    if numbers(version) > numbers(FORMAT_VERSION) {
        version.to_owned()
    } else {
        FORMAT_VERSION.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_of_a_file_is_raised_and_never_lowered() {
        for (before, after) in [
            ("3.7.1", FORMAT_VERSION),
            ("1.13", FORMAT_VERSION),
            ("", FORMAT_VERSION),
            ("3.13.3", "3.13.3"),
            ("3.14.0", "3.14.0"),
            ("4.0.0-rc1", "4.0.0-rc1"),
        ] {
            assert_eq!(newer(before), after);
        }
    }
}
