//! What the administrator decided for all ExternalSecrets.

use signet_crds::external::constants::DEFAULT_CONTROLLER_CLASS;

/// Settings of the controller that change what becomes of an ExternalSecret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// Whether an existing Secret that no ExternalSecret made is taken over without being asked, as the
    /// peer does: all that it holds is lost then.
    pub takes_over: bool,
    /// Name of this controller. Stores and generators for another are left to that.
    pub class: String,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            takes_over: false,
            class: DEFAULT_CONTROLLER_CLASS.to_owned(),
        }
    }
}
