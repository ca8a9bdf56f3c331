//! Which parts of a Secret an ExternalSecret wrote, by the field manager.

use std::collections::BTreeSet;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde_json::Value;

use super::hash;

/// Names of what an ExternalSecret wrote last.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Managed {
    pub(super) data: BTreeSet<String>,
    pub(super) labels: BTreeSet<String>,
    pub(super) annotations: BTreeSet<String>,
}

impl Managed {
    /// What the ExternalSecret of this name wrote.
    pub(super) fn by(name: &str, metadata: &ObjectMeta) -> Self {
        let manager = hash::field_manager(name);
        let mut managed = Self::default();
        for entry in metadata.managed_fields.iter().flatten() {
            if entry.manager.as_ref() != Some(&manager) {
                continue;
            }
            let Some(fields) = entry.fields_v1.as_ref().map(|fields| &fields.0) else {
                continue;
            };
            collect(fields.get("f:data"), &mut managed.data);
            let metadata = fields.get("f:metadata");
            let of = |field| metadata.and_then(|metadata| metadata.get(field));
            collect(of("f:labels"), &mut managed.labels);
            collect(of("f:annotations"), &mut managed.annotations);
        }
        managed
    }
}

/// Keys of a map, which stand as `f:key`; `.` is the map itself.
fn collect(fields: Option<&Value>, names: &mut BTreeSet<String>) {
    let fields = fields.and_then(Value::as_object).into_iter().flatten();
    let keys = fields.filter_map(|(key, _)| key.strip_prefix("f:"));
    names.extend(keys.map(str::to_owned));
}
