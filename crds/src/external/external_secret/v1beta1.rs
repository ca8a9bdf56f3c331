//! What `v1beta1` does not have.

use serde_json::Value;

use super::target;
use crate::schema;

/// Fields of the spec that came with `v1`, by their path; `*` is any item of a list.
const LATER: [&str; 8] = [
    "syncWindows",
    "target.manifest",
    "target.template.metadata.finalizers",
    "target.template.templateFrom.*.valuesDecodingStrategy",
    "data.*.remoteRef.nullBytePolicy",
    "dataFrom.*.extract.nullBytePolicy",
    "dataFrom.*.find.nullBytePolicy",
    "dataFrom.*.rewrite.*.merge",
];

/// Takes them out of the schema of a spec.
pub fn take_out_what_came_later(spec: &mut Value) {
    for path in LATER {
        let (parent, field) = path.rsplit_once('.').unwrap_or(("", path));
        let parent = parent.split('.').filter(|name| !name.is_empty()).try_fold(
            &mut *spec,
            |schema, name| match name {
                "*" => schema.get_mut("items"),
                name => schema.get_mut("properties")?.get_mut(name),
            },
        );
        if let Some(Value::Object(properties)) = parent.and_then(|p| p.get_mut("properties")) {
            properties.remove(field);
        }
    }
    if let Some(Value::Array(policies)) =
        spec.pointer_mut("/properties/target/properties/creationPolicy/enum")
    {
        policies.retain(|policy| policy != "CreateOrMerge");
    }
    if let Some(rules) = spec.pointer_mut("/properties/target/x-kubernetes-validations") {
        *rules = schema::rules(&target::RULES_OF_SECRETS);
    }
}
