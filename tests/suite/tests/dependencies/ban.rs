//! One entry of `[bans] deny`.

use semver::VersionReq;

use crate::graph::Package;

pub struct Ban {
    name: String,
    versions: VersionReq,
}

impl Ban {
    /// Reads `crate` or `crate@requirement`, as cargo-deny writes them.
    pub fn parse(spec: &str) -> Self {
        let (name, versions) = spec.split_once('@').unwrap_or((spec, "*"));
        Self {
            name: name.to_owned(),
            versions: VersionReq::parse(versions).unwrap(),
        }
    }

    pub fn covers(&self, package: &Package) -> bool {
        package.name == self.name && self.versions.matches(&package.version)
    }
}

#[test]
fn a_ban_covers_its_name_and_its_versions_only() {
    let bytes = |version: &str| Package {
        name: "bytes".into(),
        version: version.parse().unwrap(),
        licence: "MIT".into(),
        source: String::new(),
    };
    assert!(Ban::parse("bytes@<1.11.1").covers(&bytes("1.11.0")));
    assert!(!Ban::parse("bytes@<1.11.1").covers(&bytes("1.11.1")));
    assert!(!Ban::parse("ring").covers(&bytes("1.0.0")));
    assert!(Ban::parse("bytes").covers(&bytes("99.0.0")));
}
