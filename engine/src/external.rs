//! ExternalSecrets: from a resource and what stores answered, to the Secret it describes and its status.

pub mod hash;
